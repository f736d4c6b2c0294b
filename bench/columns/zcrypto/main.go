// Reads certificates in DER, one after the other, with zcrypto, and writes each as JSON to nothing:
// zcrypto FILE COUNT. Prints the number of certificates, of failures, and the processor time in seconds.
package main

import (
	"encoding/asn1"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"

	"github.com/zmap/zcrypto/x509"
)

func processorTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func main() {
	runtime.GOMAXPROCS(1)
	debug.SetGCPercent(400)
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	count, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	var values [][]byte
	for len(data) > 0 && len(values) < count {
		var value asn1.RawValue
		rest, err := asn1.Unmarshal(data, &value)
		if err != nil {
			panic(err)
		}
		values = append(values, value.FullBytes)
		data = rest
	}
	runtime.GC()
	failures, octets := 0, 0
	start := processorTime()
	for _, value := range values {
		certificate, err := x509.ParseCertificate(value)
		if err != nil {
			failures++
			continue
		}
		text, err := json.Marshal(certificate)
		if err != nil {
			failures++
			continue
		}
		octets += len(text)
	}
	fmt.Printf("%d\t%d\t%.3f\n", len(values), failures, processorTime()-start)
}
