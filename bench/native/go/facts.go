package main

import (
	"crypto/x509"
	"fmt"
	"strings"
)

// facts writes a line for each field that the other side compares.
func facts(out *strings.Builder, cert *x509.Certificate) {
	key, keyErr := spki(cert)
	algorithm, algorithmErr := outer(cert)
	critical, octets := 0, 0
	for _, extension := range cert.Extensions {
		if extension.Critical {
			critical++
		}
		octets += len(extension.Value)
	}
	fmt.Fprintf(out, "serial=%x\nissuer=%x\nsubject=%x\n", cert.SerialNumber.Bytes(), cert.RawIssuer, cert.RawSubject)
	fmt.Fprintf(out, "before=%d\nafter=%d\nsignature=%x\n", cert.NotBefore.Unix(), cert.NotAfter.Unix(), cert.Signature)
	fmt.Fprintf(out, "extensions=%d,%d,%d\n", len(cert.Extensions), critical, octets)
	if keyErr == nil {
		fmt.Fprintf(out, "key=%x\nkeyAlgorithm=%s\n", key.Bits.Bytes, key.Algorithm.Algorithm)
	}
	if algorithmErr == nil {
		fmt.Fprintf(out, "algorithm=%s\n", algorithm)
	}
	if cert.BasicConstraintsValid {
		fmt.Fprintf(out, "ca=%t\n", cert.IsCA)
	} else {
		fmt.Fprintf(out, "ca=none\n")
	}
}
