// Reads cases as JSON lines, verifies each with crypto/x509, and answers in kind.
package main

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"os"
	"strings"
	"time"
)

type testCase struct {
	ID       string   `json:"id"`
	Leaf     []byte   `json:"leaf"`
	Pool     [][]byte `json:"pool"`
	Roots    [][]byte `json:"roots"`
	Unix     int64    `json:"unix"`
	Purpose  string   `json:"purpose"`
	Name     []string `json:"name"`
	Policies []string `json:"policies"`
}

type answer struct {
	ID     string `json:"id"`
	Valid  bool   `json:"valid"`
	Reason string `json:"reason"`
}

func verify(c testCase) error {
	leaf, err := x509.ParseCertificate(c.Leaf)
	if err != nil {
		return err
	}
	options := x509.VerifyOptions{
		Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool(), CurrentTime: time.Unix(c.Unix, 0),
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}
	switch c.Purpose {
	case "server":
		options.KeyUsages = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	case "client":
		options.KeyUsages = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	for _, der := range c.Pool {
		if certificate, err := x509.ParseCertificate(der); err == nil {
			options.Intermediates.AddCert(certificate)
		}
	}
	for _, der := range c.Roots {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return err
		}
		options.Roots.AddCert(certificate)
	}
	// The user-initial-policy-set; the other inputs of policies cannot be set from outside.
	for _, text := range c.Policies {
		policy, err := x509.ParseOID(text)
		if err != nil {
			return err
		}
		options.CertificatePolicies = append(options.CertificatePolicies, policy)
	}
	if len(c.Name) == 2 {
		options.DNSName = c.Name[1]
		if c.Name[0] == "IP" {
			options.DNSName = "[" + c.Name[1] + "]"
		}
	}
	_, err = leaf.Verify(options)
	return err
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	decoder := json.NewDecoder(in)
	for decoder.More() {
		var c testCase
		if err := decoder.Decode(&c); err != nil {
			panic(err)
		}
		err := verify(c)
		reason := "OK"
		if err != nil {
			reason = strings.SplitN(err.Error(), "\n", 2)[0]
		}
		if err := out.Encode(answer{c.ID, err == nil, reason}); err != nil {
			panic(err)
		}
	}
}
