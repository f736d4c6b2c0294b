// A load generator for ACME servers, and for HTTP services that answer the same request again and again.
//
//	serve acme -directory URL -connections 32 -seconds 5 [-csrs FOLDER] [-port 5002]
//	serve post -url URL -type TYPE -body FILE -connections 32 -seconds 5
//	serve add -url URL -body FILE -checkpoint URL -connections 32 -seconds 5
//	serve key -name NAME
//	serve est -url URL -user NAME:PASSWORD -name DNS -connections 32 -seconds 5 -most 10000
//	serve hold -address HOST:PORT -idle 300 -slow 100 -seconds 5
//
// `add` posts entries to a log, whose last 16 bytes are other letters each time, and waits until a checkpoint contains them. The answers are
// indices. The log's checkpoint is fetched every 5 ms. `key` prints a new private key for signed notes.
//
// It prints one line of JSON: completed operations, seconds, latencies in milliseconds, and its own processor time. Each
// connection is one TLS session (with http:// URLs, one without TLS) with one request at a time, so the load is a closed loop. A connection that the server closes is
// replaced, and its request is repeated. net/http is not used, because it costs more than the rest of the client. Certificates of
// servers are not verified.
package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A connection that is kept until the server closes it.
type link struct {
	conn   net.Conn
	reader *bufio.Reader
	host   string
	plain  bool
}

// The number of connections that servers closed.
var closed atomic.Int64

func dial(address *url.URL) (*link, error) {
	link := &link{host: address.Host, plain: address.Scheme == "http"}
	return link, link.connect()
}

func (l *link) connect() error {
	dialer := &net.Dialer{Timeout: 30 * time.Second}
	conn, err := dialer.Dial("tcp", l.host)
	if err == nil && !l.plain {
		secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
		_ = secure.SetDeadline(time.Now().Add(30 * time.Second))
		err = secure.Handshake()
		conn = secure
	}
	if err == nil {
		l.conn, l.reader = conn, bufio.NewReaderSize(conn, 16384)
	}
	return err
}

// An answer: the status, the headers that are needed, and the body.
type answer struct {
	status          int
	nonce, location string
	body            []byte
}

// Sends a request and reads its answer.
func (l *link) ask(method, path, headers string, body []byte) (answer, error) {
	var request bytes.Buffer
	fmt.Fprintf(&request, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: tagwise-bench\r\n%s", method, path, l.host, headers)
	if body != nil {
		fmt.Fprintf(&request, "Content-Length: %d\r\n", len(body))
	}
	request.WriteString("\r\n")
	request.Write(body)
	for {
		_ = l.conn.SetDeadline(time.Now().Add(60 * time.Second))
		_, err := l.conn.Write(request.Bytes())
		if err == nil {
			if _, err = l.reader.Peek(1); err == nil {
				return l.read(method == "HEAD")
			}
		}
		// Closed while it was idle, before the request was read.
		l.conn.Close()
		if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.EPIPE) && !errors.Is(err, syscall.ECONNRESET) {
			return answer{}, err
		}
		closed.Add(1)
		if err := l.connect(); err != nil {
			return answer{}, err
		}
	}
}

func (l *link) line() (string, error) {
	line, err := l.reader.ReadString('\n')
	return strings.TrimRight(line, "\r\n"), err
}

func (l *link) read(bodyless bool) (answer, error) {
	var found answer
	first, err := l.line()
	if err != nil {
		return found, err
	}
	if len(first) < 12 {
		return found, fmt.Errorf("malformed status line %q", first)
	}
	if found.status, err = strconv.Atoi(first[9:12]); err != nil {
		return found, err
	}
	length, chunked := 0, false
	for {
		line, err := l.line()
		if err != nil {
			return found, err
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "content-length":
			length, err = strconv.Atoi(value)
		case "transfer-encoding":
			chunked = value == "chunked"
		case "replay-nonce":
			found.nonce = value
		case "location":
			found.location = value
		}
		if err != nil {
			return found, err
		}
	}
	if bodyless || found.status == 204 {
		return found, nil
	}
	if !chunked {
		found.body = make([]byte, length)
		_, err = io.ReadFull(l.reader, found.body)
		return found, err
	}
	for {
		line, err := l.line()
		if err != nil {
			return found, err
		}
		size, err := strconv.ParseUint(line, 16, 24)
		if err != nil {
			return found, err
		}
		chunk := make([]byte, size)
		if _, err := io.ReadFull(l.reader, chunk); err != nil {
			return found, err
		}
		found.body = append(found.body, chunk...)
		if _, err := l.line(); err != nil || size == 0 {
			return found, err
		}
	}
}

func encoded(octets []byte) string { return base64.RawURLEncoding.EncodeToString(octets) }

// An ACME account on a connection of its own. Its orders have one identifier, an address of the loopback network, and the same
// certification request.
type account struct {
	link       *link
	key        *ecdsa.PrivateKey
	kid, nonce string
	newOrder   string
	identifier string
	csr        string
	tokens     *sync.Map
	thumbprint string
}

func (a *account) jwk() string {
	public := a.key.PublicKey
	return fmt.Sprintf(`{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}`,
		encoded(public.X.FillBytes(make([]byte, 32))), encoded(public.Y.FillBytes(make([]byte, 32))))
}

// Sends a signed request. An empty payload is a POST-as-GET (RFC 8555 §6.3).
func (a *account) post(url, payload string) (answer, error) {
	signer := `"kid":"` + a.kid + `"`
	if a.kid == "" {
		signer = `"jwk":` + a.jwk()
	}
	protected := encoded([]byte(`{"alg":"ES256","nonce":"` + a.nonce + `","url":"` + url + `",` + signer + `}`))
	payload = encoded([]byte(payload))
	digest := sha256.Sum256([]byte(protected + "." + payload))
	r, s, err := ecdsa.Sign(rand.Reader, a.key, digest[:])
	if err != nil {
		return answer{}, err
	}
	var signature [64]byte
	r.FillBytes(signature[:32])
	s.FillBytes(signature[32:])
	body := `{"protected":"` + protected + `","payload":"` + payload + `","signature":"` + encoded(signature[:]) + `"}`
	found, err := a.link.ask("POST", pathOf(url), "Content-Type: application/jose+json\r\n", []byte(body))
	if err != nil {
		return found, err
	}
	if found.nonce != "" {
		a.nonce = found.nonce
	}
	if found.status >= 400 {
		return found, fmt.Errorf("%s: %d %s", url, found.status, found.body)
	}
	return found, nil
}

func pathOf(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	return rest[strings.IndexByte(rest, '/'):]
}

type directory struct {
	NewNonce, NewAccount, NewOrder string
}

type order struct {
	Status         string
	Authorizations []string
	Finalize       string
	Certificate    string
	Error          json.RawMessage
}

type authorization struct {
	Status     string
	Challenges []struct{ Type, Url, Token string }
}

func (a *account) register(url *url.URL) error {
	found, err := a.link.ask("GET", url.Path, "", nil)
	if err != nil {
		return err
	}
	var list directory
	if err := json.Unmarshal(found.body, &list); err != nil {
		return err
	}
	if found, err = a.link.ask("HEAD", pathOf(list.NewNonce), "", nil); err != nil {
		return err
	}
	a.nonce, a.newOrder = found.nonce, list.NewOrder
	if found, err = a.post(list.NewAccount, `{"termsOfServiceAgreed":true}`); err != nil {
		return err
	}
	a.kid = found.location
	digest := sha256.Sum256([]byte(a.jwk()))
	a.thumbprint = encoded(digest[:])
	return nil
}

// Asks until a resource has left the states of waiting.
func poll[T any](a *account, url string, status func(*T) string) (T, error) {
	var value T
	for wait := time.Millisecond; ; wait = min(2*wait, 16*time.Millisecond) {
		found, err := a.post(url, "")
		if err != nil {
			return value, err
		}
		value = *new(T)
		if err := json.Unmarshal(found.body, &value); err != nil {
			return value, err
		}
		switch status(&value) {
		case "pending", "processing":
			time.Sleep(wait)
		case "valid", "ready":
			return value, nil
		default:
			return value, fmt.Errorf("%s: %s", url, found.body)
		}
	}
}

func (a *account) authorize(url string) error {
	found, err := a.post(url, "")
	if err != nil {
		return err
	}
	var value authorization
	if err := json.Unmarshal(found.body, &value); err != nil {
		return err
	}
	if value.Status == "valid" {
		return nil
	}
	for _, challenge := range value.Challenges {
		if challenge.Type != "http-01" {
			continue
		}
		a.tokens.Store(challenge.Token, challenge.Token+"."+a.thumbprint)
		defer a.tokens.Delete(challenge.Token)
		if _, err := a.post(challenge.Url, "{}"); err != nil {
			return err
		}
		_, err := poll(a, url, func(value *authorization) string { return value.Status })
		return err
	}
	return fmt.Errorf("%s: no http-01 challenge", url)
}

// One order, from its creation to the certificate.
func (a *account) order() error {
	found, err := a.post(a.newOrder, `{"identifiers":[`+a.identifier+`]}`)
	if err != nil {
		return err
	}
	var value order
	if err := json.Unmarshal(found.body, &value); err != nil {
		return err
	}
	location := found.location
	if value.Status == "pending" {
		for _, url := range value.Authorizations {
			if err := a.authorize(url); err != nil {
				return err
			}
		}
	}
	if found, err = a.post(value.Finalize, `{"csr":"`+a.csr+`"}`); err != nil {
		return err
	}
	if err := json.Unmarshal(found.body, &value); err != nil {
		return err
	}
	if value.Status != "valid" {
		if value, err = poll(a, location, func(value *order) string { return value.Status }); err != nil {
			return err
		}
	}
	if found, err = a.post(value.Certificate, ""); err != nil {
		return err
	}
	if !bytes.HasPrefix(found.body, []byte("-----BEGIN CERTIFICATE-----")) {
		return fmt.Errorf("%s: no certificate", value.Certificate)
	}
	return nil
}

// Answers http-01 validations. Each connection has one request.
func respond(port int, tokens *sync.Map) error {
	listener, err := net.Listen("tcp", fmt.Sprintf(":%d", port))
	if err != nil {
		return err
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				line, err := bufio.NewReader(conn).ReadString('\n')
				parts := strings.Split(line, " ")
				if err != nil || len(parts) < 2 {
					return
				}
				text, ok := tokens.Load(parts[1][strings.LastIndexByte(parts[1], '/')+1:])
				if !ok {
					text = ""
				}
				fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"+
					"Content-Length: %d\r\nConnection: close\r\n\r\n%s", len(text.(string)), text)
			}()
		}
	}()
	return nil
}

// The processor time of this process so far, in seconds.
func spent() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(time syscall.Timeval) float64 { return float64(time.Sec) + float64(time.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

// Repeats operations on all connections until the time is over or enough are done, and prints the result.
func run(operations []func() error, seconds float64, most int64) error {
	found, err := measured(operations, seconds, most)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(found)
}

// Returns the value below which a part of the values is.
func at(values []float64, part float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(int(part*float64(len(values))), len(values)-1)]
}

func measured(operations []func() error, seconds float64, most int64) (map[string]any, error) {
	var done, left atomic.Int64
	left.Store(most)
	times := make([][]float64, len(operations))
	failures := make([]error, len(operations))
	before, start := spent(), time.Now()
	end := start.Add(time.Duration(seconds * float64(time.Second)))
	var group sync.WaitGroup
	for index, operation := range operations {
		group.Go(func() {
			for time.Now().Before(end) && left.Add(-1) >= 0 {
				begin := time.Now()
				if failures[index] = operation(); failures[index] != nil {
					return
				}
				times[index] = append(times[index], time.Since(begin).Seconds()*1e3)
				done.Add(1)
			}
		})
	}
	group.Wait()
	elapsed, used := time.Since(start).Seconds(), spent()-before
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	all := slices.Concat(times...)
	return map[string]any{
		"done": done.Load(), "closed": closed.Load(), "seconds": elapsed, "client": used, "p50": at(all, 0.5), "p99": at(all, 0.99),
	}, nil
}

// Performs for each index at the same time, and returns the first error.
func each(count int, perform func(int) error) error {
	results := make(chan error, count)
	for index := range count {
		go func() { results <- perform(index) }()
	}
	var first error
	for range count {
		if err := <-results; first == nil {
			first = err
		}
	}
	return first
}

type common struct {
	connections *int
	seconds     *float64
	most        *int64
}

func flags(set *flag.FlagSet) common {
	return common{
		set.Int("connections", 32, "connections"),
		set.Float64("seconds", 5, "time limit"),
		set.Int64("most", 1<<40, "operations at most"),
	}
}

func acme(arguments []string) error {
	set := flag.NewFlagSet("acme", flag.ExitOnError)
	common := flags(set)
	text := set.String("directory", "", "URL of the directory")
	csrs := set.String("csrs", "", "folder with certification requests 0.der, 1.der, … for the identifiers [default: new ones with P-256 keys]")
	port := set.Int("port", 5002, "port that answers validations")
	_ = set.Parse(arguments)
	address, err := url.Parse(*text)
	if err != nil {
		return err
	}
	tokens := new(sync.Map)
	if err := respond(*port, tokens); err != nil {
		return err
	}
	accounts := make([]*account, *common.connections)
	err = each(len(accounts), func(index int) error {
		link, err := dial(address)
		if err != nil {
			return err
		}
		own := &account{link: link, tokens: tokens}
		if own.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
			return err
		}
		ip := net.IPv4(127, 1, byte(index/256), byte(index%256))
		own.identifier = `{"type":"ip","value":"` + ip.String() + `"}`
		template := x509.CertificateRequest{IPAddresses: []net.IP{ip}}
		var csr []byte
		if *csrs == "" {
			key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
			if err != nil {
				return err
			}
			if csr, err = x509.CreateCertificateRequest(rand.Reader, &template, key); err != nil {
				return err
			}
		} else if csr, err = os.ReadFile(filepath.Join(*csrs, fmt.Sprintf("%d.der", index))); err != nil {
			return err
		}
		own.csr = encoded(csr)
		accounts[index] = own
		return own.register(address)
	})
	if err != nil {
		return err
	}
	// The first orders, which validate the identifiers, are not measured. One by one: pebble may deadlock on orders at the same time
	// if their identifiers are new.
	for _, account := range accounts {
		if err := account.order(); err != nil {
			return err
		}
	}
	operations := make([]func() error, len(accounts))
	for index, account := range accounts {
		operations[index] = account.order
	}
	return run(operations, *common.seconds, *common.most)
}

// Sends bodies in turn on all connections.
func send(common common, text, headers string, body func() []byte) error {
	address, err := url.Parse(text)
	if err != nil {
		return err
	}
	operations := make([]func() error, *common.connections)
	err = each(len(operations), func(index int) error {
		link, err := dial(address)
		operations[index] = func() error {
			found, err := link.ask("POST", address.Path, headers, body())
			if err == nil && (found.status != 200 || len(found.body) == 0) {
				err = fmt.Errorf("%s: %d %s", text, found.status, found.body)
			}
			return err
		}
		return err
	})
	if err != nil {
		return err
	}
	return run(operations, *common.seconds, *common.most)
}

func post(arguments []string) error {
	set := flag.NewFlagSet("post", flag.ExitOnError)
	common := flags(set)
	text := set.String("url", "", "URL")
	kind := set.String("type", "", "media type of the body")
	file := set.String("body", "", "file with the body")
	_ = set.Parse(arguments)
	body, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	return send(common, *text, "Content-Type: "+*kind+"\r\n", func() []byte { return body })
}

// An entry that was added, and is in no checkpoint that was seen.
type pending struct {
	index uint64
	begin time.Time
}

// The entries that were added, and what is known of the log's checkpoint.
type published struct {
	lock    sync.Mutex
	waiting []pending
	times   []float64
	last    time.Time
}

// Fetches the checkpoint, and counts the entries that it contains.
func (p *published) fetch(link *link, path string) error {
	found, err := link.ask("GET", path, "", nil)
	if err != nil {
		return err
	}
	// A log may not have a checkpoint at first. The second line is the size of the tree (C2SP tlog-checkpoint).
	lines := strings.SplitN(string(found.body), "\n", 3)
	if found.status == 404 || len(lines) < 3 {
		return nil
	}
	size, err := strconv.ParseUint(lines[1], 10, 64)
	if err != nil {
		return err
	}
	now := time.Now()
	p.lock.Lock()
	defer p.lock.Unlock()
	p.waiting = slices.DeleteFunc(p.waiting, func(one pending) bool {
		if one.index >= size {
			return false
		}
		p.times = append(p.times, now.Sub(one.begin).Seconds()*1e3)
		p.last = now
		return true
	})
	return nil
}

func (p *published) left() int {
	p.lock.Lock()
	defer p.lock.Unlock()
	return len(p.waiting)
}

func add(arguments []string) error {
	set := flag.NewFlagSet("add", flag.ExitOnError)
	common := flags(set)
	text := set.String("url", "", "URL")
	file := set.String("body", "", "file with an entry")
	checkpoint := set.String("checkpoint", "", "URL of the log's checkpoint")
	_ = set.Parse(arguments)
	entry, err := os.ReadFile(*file)
	if err != nil {
		return err
	}
	if len(entry) < 16 {
		return fmt.Errorf("%s: too short", *file)
	}
	address, err := url.Parse(*text)
	if err != nil {
		return err
	}
	seen, err := url.Parse(*checkpoint)
	if err != nil {
		return err
	}
	watcher, err := dial(seen)
	if err != nil {
		return err
	}
	log := new(published)
	operations := make([]func() error, *common.connections)
	err = each(len(operations), func(index int) error {
		link, err := dial(address)
		body := slices.Clone(entry)
		operations[index] = func() error {
			random := body[len(body)-16:]
			_, _ = rand.Read(random)
			for index, octet := range random {
				random[index] = 'a' + octet%26
			}
			begin := time.Now()
			found, err := link.ask("POST", address.Path, "Content-Type: application/octet-stream\r\n", body)
			if err == nil && found.status != 200 {
				err = fmt.Errorf("%s: %d %s", *text, found.status, found.body)
			}
			if err != nil {
				return err
			}
			index, err := strconv.ParseUint(string(found.body), 10, 64)
			log.lock.Lock()
			log.waiting = append(log.waiting, pending{index, begin})
			log.lock.Unlock()
			return err
		}
		return err
	})
	if err != nil {
		return err
	}
	var stop atomic.Bool
	watched := make(chan error, 1)
	go func() {
		var err error
		var deadline time.Time
		for err == nil && (!stop.Load() || log.left() > 0) {
			time.Sleep(5 * time.Millisecond)
			err = log.fetch(watcher, seen.Path)
			if stop.Load() && deadline.IsZero() {
				deadline = time.Now().Add(30 * time.Second)
			} else if err == nil && stop.Load() && time.Now().After(deadline) {
				err = fmt.Errorf("%d entries are in no checkpoint", log.left())
			}
		}
		watched <- err
	}()
	start := time.Now()
	found, err := measured(operations, *common.seconds, *common.most)
	stop.Store(true)
	if other := <-watched; err == nil {
		err = other
	}
	if err != nil {
		return err
	}
	found["covered"], found["covered_p50"], found["covered_p99"] = log.last.Sub(start).Seconds(), at(log.times, 0.5), at(log.times, 0.99)
	return json.NewEncoder(os.Stdout).Encode(found)
}

// Prints an Ed25519 key as golang.org/x/mod/sumdb/note stores it.
func key(arguments []string) error {
	set := flag.NewFlagSet("key", flag.ExitOnError)
	name := set.String("name", "", "name")
	_ = set.Parse(arguments)
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(append([]byte(*name+"\n\x01"), public...))
	seed := base64.StdEncoding.EncodeToString(append([]byte{1}, private.Seed()...))
	fmt.Printf("PRIVATE+KEY+%s+%x+%s\n", *name, digest[:4], seed)
	return nil
}

// Enrolls with a certification request of its own for each operation. All are created before the time starts.
func est(arguments []string) error {
	set := flag.NewFlagSet("est", flag.ExitOnError)
	common := flags(set)
	text := set.String("url", "", "URL")
	user := set.String("user", "", "name and password, with a colon between them")
	name := set.String("name", "", "DNS name")
	_ = set.Parse(arguments)
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	bodies := make([][]byte, *common.most)
	for index := range bodies {
		template := x509.CertificateRequest{DNSNames: []string{*name}}
		der, err := x509.CreateCertificateRequest(rand.Reader, &template, key)
		if err != nil {
			return err
		}
		bodies[index] = base64.StdEncoding.AppendEncode(nil, der)
	}
	basic := base64.StdEncoding.EncodeToString([]byte(*user))
	headers := "Content-Type: application/pkcs10\r\nAuthorization: Basic " + basic + "\r\n"
	var next atomic.Int64
	return send(common, *text, headers, func() []byte { return bodies[next.Add(1)-1] })
}

// Keeps connections busy without using them: some are idle, some send a byte of a request's head every 100 ms.
func hold(arguments []string) error {
	set := flag.NewFlagSet("hold", flag.ExitOnError)
	address := set.String("address", "", "HOST:PORT")
	idle := set.Int("idle", 300, "idle connections")
	slow := set.Int("slow", 100, "slow connections")
	seconds := set.Float64("seconds", 5, "time")
	_ = set.Parse(arguments)
	end := time.Now().Add(time.Duration(*seconds * float64(time.Second)))
	return each(*idle+*slow, func(index int) error {
		for time.Now().Before(end) {
			conn, err := net.Dial("tcp", *address)
			if err != nil {
				return err
			}
			if index >= *idle {
				secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
				_ = secure.SetDeadline(end)
				for _, octet := range []byte("GET /acme/directory HTTP/1.1\r\nX: " + strings.Repeat("x", 4096)) {
					if _, err := secure.Write([]byte{octet}); err != nil {
						break
					}
					time.Sleep(100 * time.Millisecond)
				}
			} else {
				_ = conn.SetDeadline(end)
				_, _ = conn.Read(make([]byte, 1))
			}
			conn.Close()
		}
		return nil
	})
}

func main() {
	programs := map[string]func([]string) error{"acme": acme, "post": post, "add": add, "est": est, "hold": hold, "key": key}
	if len(os.Args) < 2 || programs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: serve acme|post|add|est|hold|key [-h]")
		os.Exit(2)
	}
	if err := programs[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
