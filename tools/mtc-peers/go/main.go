// A log of Tagwise judged by packages in Go: golang.org/x/mod/sumdb/tlog (RFC 6962) and the trees packages of Let's Encrypt's Boulder.
//
// usage: peers FOLDER, as the program beside this one has written it. What Boulder proves in turn is written to FOLDER/vectors.txt.
package main

import (
	"bufio"
	"crypto"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/letsencrypt/boulder/trees/checkpoint"
	"github.com/letsencrypt/boulder/trees/cosigned"
	"github.com/letsencrypt/boulder/trees/entry"
	"github.com/letsencrypt/boulder/trees/proof"
	"github.com/letsencrypt/boulder/trees/subtree"
	"golang.org/x/mod/sumdb/tlog"
)

// hashes are the stored hashes of a tree, as tlog numbers them.
type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		if index >= int64(len(h)) {
			return nil, fmt.Errorf("no hash %d", index)
		}
		out[i] = h[index]
	}
	return out, nil
}

func (h *hashes) add(data []byte) error {
	stored, err := tlog.StoredHashes(h.count(), data, *h)
	if err != nil {
		return err
	}
	*h = append(*h, stored...)
	return nil
}

// count is the number of leaves.
func (h hashes) count() int64 {
	var n int64
	for tlog.StoredHashCount(n) < int64(len(h)) {
		n++
	}
	return n
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: peers FOLDER")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(folder string) error {
	signed, entries, tree, err := log(filepath.Join(folder, "log"))
	if err != nil {
		return err
	}
	if err := records(signed, entries, tree); err != nil {
		return err
	}
	if err := certificates(filepath.Join(folder, "certificates"), entries, tree); err != nil {
		return err
	}
	return vectors(filepath.Join(folder, "vectors.txt"))
}

// log reads the checkpoint and all bundles, and recomputes the root and every tile of level 0 and 1.
func log(folder string) (*checkpoint.Checkpoint, [][]byte, hashes, error) {
	note, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return nil, nil, nil, err
	}
	text, _, found := strings.Cut(string(note), "\n\n")
	if !found {
		return nil, nil, nil, errors.New("the checkpoint is no note")
	}
	signed, err := checkpoint.Unmarshal([]byte(text + "\n"))
	if err != nil {
		return nil, nil, nil, err
	}
	size := signed.Tree.N
	var entries [][]byte
	var tree hashes
	for bundle := int64(0); bundle*256 < size; bundle++ {
		name := fmt.Sprintf("tile/entries/%03d", bundle)
		if rest := size - bundle*256; rest < 256 {
			name = fmt.Sprintf("%s.p/%d", name, rest)
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, nil, nil, err
		}
		reader := entry.NewBundleReader(data)
		for {
			parsed, raw, err := reader.ReadEntry()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, nil, nil, fmt.Errorf("%s: %w", name, err)
			}
			again, err := parsed.Marshal()
			if err != nil || string(again) != string(raw) {
				return nil, nil, nil, fmt.Errorf("%s: entry %d is not written as it was read", name, len(entries))
			}
			entries = append(entries, raw)
			if err := tree.add(raw); err != nil {
				return nil, nil, nil, err
			}
		}
	}
	if int64(len(entries)) != size {
		return nil, nil, nil, fmt.Errorf("%d entries, and the checkpoint has %d", len(entries), size)
	}
	root, err := tlog.TreeHash(size, tree)
	if err != nil {
		return nil, nil, nil, err
	}
	if root != signed.Tree.Hash {
		return nil, nil, nil, errors.New("the entries do not make the checkpoint's root")
	}
	count := 0
	for _, tile := range tlog.NewTiles(8, 0, size) {
		data, err := tlog.ReadTileData(tile, tree)
		if err != nil {
			return nil, nil, nil, err
		}
		name := fmt.Sprintf("tile/%d/%03d", tile.L, tile.N)
		if tile.W < 256 {
			name = fmt.Sprintf("%s.p/%d", name, tile.W)
		}
		written, err := os.ReadFile(filepath.Join(folder, name))
		// Tiles that grew later are there at their last width alone, or at all widths that were published.
		if err != nil || string(written) != string(data) {
			return nil, nil, nil, fmt.Errorf("%s differs: %v", name, err)
		}
		count++
	}
	fmt.Printf("tlog: root of %d entries and %d tiles recomputed\n", size, count)
	return signed, entries, tree, nil
}

// records proves and checks every entry and some sizes, by RFC 6962.
func records(signed *checkpoint.Checkpoint, entries [][]byte, tree hashes) error {
	for i := range entries {
		path, err := tlog.ProveRecord(signed.Tree.N, int64(i), tree)
		if err != nil {
			return err
		}
		if err := tlog.CheckRecord(path, signed.Tree.N, signed.Tree.Hash, int64(i), tlog.RecordHash(entries[i])); err != nil {
			return err
		}
	}
	return nil
}

// certificates takes every certificate apart: entry, leaf hash and proof lead to the hash of the subtree in the tree.
func certificates(folder string, entries [][]byte, tree hashes) error {
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	signatures := 0
	for _, file := range files {
		fail := func(err error) error { return fmt.Errorf("%s: %w", file.Name(), err) }
		der, err := os.ReadFile(filepath.Join(folder, file.Name()))
		if err != nil {
			return err
		}
		var whole struct {
			TBS       asn1.RawValue
			Algorithm asn1.RawValue
			Signature asn1.BitString
		}
		if rest, err := asn1.Unmarshal(der, &whole); err != nil || len(rest) > 0 {
			return fail(fmt.Errorf("no certificate: %v", err))
		}
		var tbs struct {
			Version int `asn1:"explicit,tag:0"`
			Serial  *big.Int
		}
		inner := append([]byte{0x30, 0x82, 0, 0}, whole.TBS.Bytes...)
		inner[2], inner[3] = byte(len(whole.TBS.Bytes)>>8), byte(len(whole.TBS.Bytes))
		if _, err := asn1.Unmarshal(prefix(inner), &tbs); err != nil {
			return fail(err)
		}
		index := int64(tbs.Serial.Uint64() & (1<<48 - 1))
		read, err := proof.UnmarshalMTCProof(whole.Signature.Bytes)
		if err != nil {
			return fail(err)
		}
		again, err := read.Marshal()
		if err != nil || string(again) != string(whole.Signature.Bytes) {
			return fail(fmt.Errorf("the proof is not written as it was read: %v", err))
		}
		made, err := entry.FromX509(der, crypto.SHA256)
		if err != nil {
			return fail(err)
		}
		logged, err := made.Marshal()
		if err != nil || string(logged) != string(entries[index]) {
			return fail(fmt.Errorf("entry %d is another one: %v", index, err))
		}
		leaf := tlog.RecordHash(logged)
		found, err := subtree.HashFromProof(leaf, read.InclusionProof, index, int64(read.Start), int64(read.End))
		if err != nil {
			return fail(err)
		}
		// The subtree's hash is in the tree: Boulder's consistency proof shows it.
		root, err := tlog.TreeHash(int64(len(entries)), tree)
		if err != nil {
			return err
		}
		path, err := subtree.ConsistencyProof(int64(read.Start), int64(read.End), int64(len(entries)), tree)
		if err != nil {
			return fail(err)
		}
		if !subtree.VerifyConsistency(int64(read.Start), int64(read.End), int64(len(entries)), path, found, root) {
			return fail(errors.New("the subtree is not in the tree"))
		}
		signatures += len(read.Signatures)
	}
	fmt.Printf("boulder: %d certificates with %d signatures taken apart and proved\n", len(files), signatures)
	return nil
}

// prefix cuts a SEQUENCE down to its first two elements, which is all that is read of it.
func prefix(sequence []byte) []byte {
	var version, serial asn1.RawValue
	rest, err := asn1.Unmarshal(sequence[4:], &version)
	if err != nil {
		return sequence
	}
	if _, err := asn1.Unmarshal(rest, &serial); err != nil {
		return sequence
	}
	content := append(append([]byte{}, version.FullBytes...), serial.FullBytes...)
	return append([]byte{0x30, byte(len(content))}, content...)
}

// vectors writes what Boulder proves of trees of up to 90 leaves, for Tagwise to verify, and a message to be signed.
func vectors(name string) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	var tree hashes
	var leaves []tlog.Hash
	count := 0
	for n := int64(1); n <= 90; n++ {
		data := []byte(fmt.Sprintf("entry %d", n-1))
		if err := tree.add(data); err != nil {
			return err
		}
		leaves = append(leaves, tlog.RecordHash(data))
		root, err := tlog.TreeHash(n, tree)
		if err != nil {
			return err
		}
		for end := int64(1); end <= n; end++ {
			for start := int64(0); start < end; start++ {
				if !subtree.Valid(start, end) || (n+start*7+end)%5 != 0 {
					continue
				}
				path, err := subtree.ConsistencyProof(start, end, n, tree)
				if err != nil {
					return err
				}
				node := subtree.MTH(leaves[start:end])
				fmt.Fprintf(out, "consistency %d %d %d %x %x", start, end, n, node[:], root[:])
				for _, hash := range path {
					fmt.Fprintf(out, " %x", hash[:])
				}
				fmt.Fprintln(out)
				count++
			}
		}
	}
	hash := sha256.Sum256([]byte("subtree"))
	message := cosigned.Message{CosignerName: "oid/1.3.6.1.4.1.32473.20", LogOrigin: "oid/1.3.6.1.4.1.32473.1.0.1", Start: 8, End: 13, SubtreeHash: hash}
	bytes, err := message.Marshal()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "message 8 13 %x %s\n", hash[:], hex.EncodeToString(bytes))
	if err := out.Flush(); err != nil {
		return err
	}
	fmt.Printf("boulder: %d consistency proofs written\n", count)
	return nil
}
