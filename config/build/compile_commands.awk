# Write the compilation database of clang's tools, one entry for each source
# whose name comes in a line: -v directory=DIR -v command='COMPILER FLAGS'.
function quote(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}
{
	sub(/^\.\//, "")
	printf "%s\n  { \"directory\": %s,\n    \"file\": %s,\n    \"command\": %s }",
	    NR == 1 ? "[" : ",", quote(directory), quote($0),
	    quote(command " -c " $0)
}
END {
	print NR == 0 ? "[ ]" : "\n]"
}
