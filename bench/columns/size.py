"""Prints the size of columns in Parquet, in bytes per certificate: `size.py FILE`.

FILE has certificates in DER, one after the other. The files are compressed with zstd, and are not kept.
"""

import io
import sys

import pyarrow as pa
import pyarrow.parquet
from generate import values
from measure import PROJECTIONS
from tagwise import columns


def main():
    with open(sys.argv[1], "rb") as file:
        rows = pa.array(list(values(file.read())), pa.binary())
    for title, names in PROJECTIONS.items():
        fields = [field.name for field in columns.FIELDS["certificates"]] if names == "all" else names.split(",")
        # The input itself is not a result.
        result = pa.array(columns.certificates(rows, [name for name in fields if name != "der"], plain=True))
        output = io.BytesIO()
        pyarrow.parquet.write_table(pa.Table.from_struct_array(result), output, compression="zstd")
        print(f"{title}\t{output.tell() / len(rows):.0f}", flush=True)


if __name__ == "__main__":
    main()
