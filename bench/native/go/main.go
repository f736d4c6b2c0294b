// Go's crypto/x509 for the benchmark. Whole rows run on this side of the call, so that no figure holds the price of
// calling from one language into another.
package main

// #include <stdint.h>
// typedef struct { const uint8_t *data; int64_t len; } tagwise_item;
import "C"

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"runtime"
	"strings"
	"sync"
	"unsafe"
)

// Sets of certificates by number, and the certificates parsed for the rows that access fields.
var (
	sets   = map[int64][][]byte{}
	parsed = map[int64][]*x509.Certificate{}
	next   int64
	sink   any
	texts  []string
)

func main() {}

//export TagwiseLoad
func TagwiseLoad(items *C.tagwise_item, count int64) int64 {
	set := make([][]byte, 0, count)
	for _, item := range unsafe.Slice(items, count) {
		set = append(set, unsafe.Slice((*byte)(unsafe.Pointer(item.data)), int64(item.len)))
	}
	next++
	sets[next] = set
	return next
}

//export TagwiseUnload
func TagwiseUnload(set int64) {
	delete(sets, set)
	delete(parsed, set)
}

//export TagwiseParse
func TagwiseParse(set int64) int64 {
	accepted := int64(0)
	for _, der := range sets[set] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			sink = cert
			accepted++
		}
	}
	return accepted
}

// everything is what the rows "all fields" read: names as text, OIDs dotted, each extension.
func everything(cert *x509.Certificate, inExtensions bool) int {
	size := len(cert.SerialNumber.Bytes()) + len(cert.Signature)
	size += int(cert.NotBefore.Unix()&1) + int(cert.NotAfter.Unix()&1)
	texts = append(texts[:0], cert.Issuer.String(), cert.Subject.String())
	key, _ := spki(cert)
	size += len(key.Bits.Bytes)
	if !inExtensions {
		return size
	}
	algorithm, _ := outer(cert)
	texts = append(texts, algorithm.String(), key.Algorithm.Algorithm.String())
	for _, extension := range cert.Extensions {
		if extension.Critical {
			size++
		}
		size += len(extension.Value)
	}
	return size
}

type algorithm struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

type keyInfo struct {
	Algorithm algorithm
	Bits      asn1.BitString
}

// spki: crypto/x509 keeps no key bits and, of unknown algorithms, no OID; RawSubjectPublicKeyInfo is what a program reads them from.
func spki(cert *x509.Certificate) (keyInfo, error) {
	var key keyInfo
	_, err := asn1.Unmarshal(cert.RawSubjectPublicKeyInfo, &key)
	return key, err
}

// outer is the OID of the signature, which crypto/x509 gives as a number of its own only.
func outer(cert *x509.Certificate) (asn1.ObjectIdentifier, error) {
	var frame struct {
		TBS       asn1.RawValue
		Algorithm algorithm
		Signature asn1.BitString
	}
	_, err := asn1.Unmarshal(cert.Raw, &frame)
	return frame.Algorithm.Algorithm, err
}

//export TagwiseRead
func TagwiseRead(set int64, inExtensions int64) int64 {
	accepted := int64(0)
	for _, der := range sets[set] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			accepted += int64(min(everything(cert, inExtensions != 0), 1))
		}
	}
	return accepted
}

type entry struct {
	serial, issuer, subject, key []byte
	before, after                int64
}

var entries []entry

//export TagwiseIndex
func TagwiseIndex(set int64) int64 {
	entries = entries[:0]
	for _, der := range sets[set] {
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			continue
		}
		entries = append(entries, entry{
			serial: cert.SerialNumber.Bytes(), issuer: cert.RawIssuer, subject: cert.RawSubject,
			key: cert.RawSubjectPublicKeyInfo, before: cert.NotBefore.Unix(), after: cert.NotAfter.Unix(),
		})
	}
	return int64(len(entries))
}

//export TagwiseChain
func TagwiseChain(set int64) int64 {
	var certs []*x509.Certificate
	for _, der := range sets[set] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			certs = append(certs, cert)
		}
	}
	links := int64(0)
	for i, cert := range certs {
		above := certs[min(i+1, len(certs)-1)]
		if bytes.Equal(cert.RawIssuer, above.RawSubject) {
			links++
		}
	}
	return links
}

//export TagwiseTree
func TagwiseTree(set int64) int64 {
	certs := make([]*x509.Certificate, 0, len(sets[set]))
	for _, der := range sets[set] {
		if cert, err := x509.ParseCertificate(der); err == nil {
			certs = append(certs, cert)
		}
	}
	bySubject := make(map[string]int32, len(certs))
	for i, cert := range certs {
		if _, known := bySubject[string(cert.RawSubject)]; !known {
			bySubject[string(cert.RawSubject)] = int32(i)
		}
	}
	parents := make([]int32, len(certs))
	linked := int64(0)
	for i, cert := range certs {
		parent, known := bySubject[string(cert.RawIssuer)]
		if !known {
			parent = -1
		} else {
			linked++
		}
		parents[i] = parent
	}
	depths := make([]int32, len(certs))
	for i := range depths {
		at, depth := int32(i), int32(0)
		for parents[at] >= 0 && parents[at] != at && depth < 64 {
			at = parents[at]
			depth++
		}
		depths[i] = depth
	}
	sink = depths
	return linked
}

//export TagwiseThreads
func TagwiseThreads(set int64, count int64) int64 {
	items := sets[set]
	share := (len(items) + int(count) - 1) / int(count)
	totals := make([]int64, count)
	var group sync.WaitGroup
	for worker := range int(count) {
		group.Add(1)
		go func() {
			defer group.Done()
			for _, der := range items[min(worker*share, len(items)):min((worker+1)*share, len(items))] {
				if cert, err := x509.ParseCertificate(der); err == nil {
					totals[worker] += int64(min(len(cert.Raw), 1))
				}
			}
		}()
	}
	group.Wait()
	sum := int64(0)
	for _, total := range totals {
		sum += total
	}
	return sum
}

// The order is that of `Field` on the other side.
//
//export TagwiseAccess
func TagwiseAccess(set int64, field int64) int64 {
	certs, known := parsed[set]
	if !known {
		for _, der := range sets[set] {
			if cert, err := x509.ParseCertificate(der); err == nil {
				certs = append(certs, cert)
			}
		}
		parsed[set] = certs
	}
	given := int64(0)
	for _, cert := range certs {
		size := 0
		switch field {
		case 0:
			size = len(cert.SerialNumber.Bytes())
		case 1:
			size = len(cert.RawIssuer)
		case 2:
			size = len(cert.RawSubject)
		case 3:
			texts = append(texts[:0], cert.Issuer.String())
		case 4:
			texts = append(texts[:0], cert.Subject.String())
		case 5:
			size = int(cert.NotBefore.Unix() ^ cert.NotAfter.Unix())
		case 9:
			size = len(cert.Signature)
		case 10:
			for _, extension := range cert.Extensions {
				if extension.Critical {
					size++
				}
				size += len(extension.Value)
			}
		case 11:
			if cert.BasicConstraintsValid && cert.IsCA {
				size = 1
			}
		default:
			return -1
		}
		total += size
		given++
	}
	return given
}

// total keeps what was read from being dropped by the compiler.
var total int

var text strings.Builder

// TagwiseFacts writes what it says of one certificate: eleven lines, `key=value`, octets in hex.
//
//export TagwiseFacts
func TagwiseFacts(set int64, number int64, out *C.char, capacity int64) int64 {
	cert, err := x509.ParseCertificate(sets[set][number])
	if err != nil {
		return -1
	}
	text.Reset()
	facts(&text, cert)
	return int64(copy(unsafe.Slice((*byte)(unsafe.Pointer(out)), capacity), text.String()))
}

//export TagwiseVersion
func TagwiseVersion(out *C.char, capacity int64) int64 {
	return int64(copy(unsafe.Slice((*byte)(unsafe.Pointer(out)), capacity), runtime.Version()))
}

//export TagwiseHeap
func TagwiseHeap(calls *C.uint64_t, octets *C.uint64_t) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	*calls, *octets = C.uint64_t(stats.Mallocs), C.uint64_t(stats.TotalAlloc)
}
