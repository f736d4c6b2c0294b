# Writes from functions.tsv: the SQL script (-v to=sql), the declarations in C (-v to=h), and their records (-v to=c).
BEGIN { FS = "\t" }
NR == 1 && to == "sql" {
    print "\\echo Use \"CREATE EXTENSION tagwise\" to load this file. \\quit"
}
NR == 1 { next }
to == "h" { print "extern PGDLLEXPORT Datum " tolower($1) "(PG_FUNCTION_ARGS);" }
to == "c" { print "PG_FUNCTION_INFO_V1(" tolower($1) ");" }
to == "sql" {
    signature = $2
    gsub(/ DEFAULT [A-Z]+/, "", signature)
    strict = $4 == "strict" ? " STRICT" : ""
    text = $5
    gsub(/'/, "''", text)
    print ""
    print "CREATE FUNCTION " $1 "(" $2 ") RETURNS " $3
    print "    AS 'MODULE_PATHNAME', '" tolower($1) "' LANGUAGE c IMMUTABLE" strict " PARALLEL SAFE;"
    print "COMMENT ON FUNCTION " $1 "(" signature ") IS '" text "';"
}
