#!/bin/bash
# Builds the extension and tests it on a server of its own: run.sh LIBRARY TAGWISE [CERTIFICATES]
#
# LIBRARY is libtagwise.a, TAGWISE the command, and CERTIFICATES a file with concatenated certificates. The server listens on a UNIX
# socket only. As root, it runs as the user postgres.
# PostgreSQL finds extensions in its own folders only. As root, the extension is installed there in a mount namespace of its own, which
# ends with the test; otherwise its script is run without CREATE EXTENSION.
set -euo pipefail
if [ -z "${TAGWISE_MOUNTS:-}" ] && [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null; then
    TAGWISE_MOUNTS=1 exec unshare --mount "$(realpath "$0")" "$@"
fi
library=$(realpath "$1") tagwise=$(realpath "$2") certificates=${3:+$(realpath "$3")}
cd "$(dirname "$0")/.."
samples=$(realpath ../../docs/samples)
bin=$("${PG_CONFIG:-pg_config}" --bindir)

room=$(mktemp -d)
as=()
if [ "$(id -u)" = 0 ]; then
    chown postgres "$room"
    export PGUSER=postgres
    as=(setpriv --reuid=postgres --regid=postgres --clear-groups --)
fi
stop() {
    [ ! -e "$room/data/postmaster.pid" ] || (cd / && "${as[@]}" "$bin/pg_ctl" -D "$room/data" -m immediate stop > /dev/null)
    rm -rf "$room"
}
trap stop EXIT

make -s TAGWISE="$library"
make -s TAGWISE="$library" DESTDIR="$room/installed" install
# A folder that the server's user can read.
mkdir -p "$room/files/tests"
cp -r tagwise.so tagwise--0.1.sql functions.tsv "$samples" "$room/files"
cp tests/check.py "$room/files/tests"
cp "$tagwise" "$room/files/tagwise"
[ -z "$certificates" ] || cp "$certificates" "$room/files/certificates"
if [ -n "${TAGWISE_MOUNTS:-}" ]; then
    for folder in "$("${PG_CONFIG:-pg_config}" --sharedir)/extension" "$("${PG_CONFIG:-pg_config}" --pkglibdir)"; do
        merged=$room/$(basename "$folder")
        cp -r "$folder" "$merged"
        cp -r "$room/installed$folder/." "$merged"
        chmod -R a+rX "$merged"
        mount --bind "$merged" "$folder"
    done
    echo 'CREATE EXTENSION tagwise;' > "$room/files/functions.sql"
else
    sed -e '/^\\echo/d' -e "s#MODULE_PATHNAME#$room/files/tagwise.so#" tagwise--0.1.sql > "$room/files/functions.sql"
fi
chmod -R a+rX "$room/files"

cd /
"${as[@]}" "$bin/initdb" -D "$room/data" --auth=trust --encoding=UTF8 --locale=C.UTF-8 --no-sync > /dev/null
options="-k $room -c listen_addresses= -c fsync=off"
"${as[@]}" "$bin/pg_ctl" -D "$room/data" -l "$room/data/log" -o "$options" -w start > /dev/null
psql -h "$room" -d postgres -v ON_ERROR_STOP=1 -q -f "$room/files/functions.sql"
check=("$room/files/tests/check.py" "$room" "$room/files/tagwise" "$room/files/samples")
[ -z "$certificates" ] || check+=("$room/files/certificates")
python3 "${check[@]}"
