// A log of Certificate Transparency by Tessera, with the layout of static-ct-api, on the loopback interface.
//
// Usage: ct-peers CERTS FOLDER. CERTS has certificates in DER, one after the other. The first line of the output has the URL of the log
// and its public key in base64. Each line of the input is a number of certificates to add. When the log has published a checkpoint with
// them, it prints the size of the tree. The program ends at the end of the input.
package main

import (
	"bufio"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/asn1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/ctonly"
	"github.com/transparency-dev/tessera/storage/posix"
)

const origin = "ct.example.org/peer"

// signer signs checkpoints with tree head signatures of RFC 6962 (static-ct-api, "Checkpoints").
type signer struct {
	key    *ecdsa.PrivateKey
	public []byte
}

func (s signer) Name() string { return origin }

func (s signer) KeyHash() uint32 {
	id := sha256.Sum256(s.public)
	hash := sha256.Sum256(append([]byte(origin+"\n\x05"), id[:]...))
	return binary.BigEndian.Uint32(hash[:])
}

func (s signer) Sign(message []byte) ([]byte, error) {
	lines := strings.Split(string(message), "\n")
	if len(lines) < 3 {
		return nil, fmt.Errorf("a checkpoint with %d lines", len(lines))
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil {
		return nil, err
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil {
		return nil, err
	}
	timestamp := binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixMilli()))
	// TreeHeadSignature: version v1, type tree_hash, timestamp, size, root (RFC 6962 §3.5).
	head := append([]byte{0, 1}, timestamp...)
	head = append(binary.BigEndian.AppendUint64(head, size), root...)
	digest := sha256.Sum256(head)
	signature, err := s.key.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	// DigitallySigned: sha256, ecdsa (RFC 5246 §4.7).
	signed := append(timestamp, 4, 3)
	signed = binary.BigEndian.AppendUint16(signed, uint16(len(signature)))
	return append(signed, signature...), nil
}

func certificates(path string) ([][]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var values [][]byte
	for len(data) > 0 {
		var value asn1.RawValue
		rest, err := asn1.Unmarshal(data, &value)
		if err != nil {
			return nil, err
		}
		values = append(values, value.FullBytes)
		data = rest
	}
	return values, nil
}

func run(path, folder string) error {
	values, err := certificates(path)
	if err != nil {
		return err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	driver, err := posix.New(ctx, posix.Config{Path: folder})
	if err != nil {
		return err
	}
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer{key, public}).
		WithCheckpointInterval(100*time.Millisecond).
		WithBatching(256, 100*time.Millisecond).
		WithCTLayout()
	appender, shutdown, reader, err := tessera.NewAppender(ctx, driver, options)
	if err != nil {
		return err
	}
	add := tessera.NewCertificateTransparencyAppender(appender)
	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 50*time.Millisecond)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, http.FileServer(http.Dir(folder))) }()
	fmt.Printf("http://%s %s\n", listener.Addr(), base64.StdEncoding.EncodeToString(public))

	input := bufio.NewScanner(os.Stdin)
	next := 0
	for input.Scan() {
		count, err := strconv.Atoi(strings.TrimSpace(input.Text()))
		if err != nil {
			return err
		}
		var last tessera.IndexFuture
		for ; count > 0 && next < len(values); count-- {
			last = add(ctx, &ctonly.Entry{Timestamp: uint64(time.Now().UnixMilli()), Certificate: values[next]})
			next++
		}
		if last == nil {
			return fmt.Errorf("no certificates to add")
		}
		// The order of the entries is that of the calls, so the last one has the highest number.
		index, _, err := awaiter.Await(ctx, last)
		if err != nil {
			return err
		}
		fmt.Println(index.Index + 1)
	}
	return shutdown(ctx)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ct-peers CERTS FOLDER")
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}
