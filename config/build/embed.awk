# Write files as C strings: each completion script, the script of copy-ssh as
# one, the fields of manifests as one without their comments, each pod
# description, each model and each file for Slurm as an entry of a table, in the
# order of the arguments.
function quote(s) {
	gsub(/\\/, "&&", s)
	gsub(/"/, "\\\"", s)
	gsub(/\t/, "\\t", s)
	gsub(/\?/, "\\?", s)
	return "\t\"" s "\\n\""
}
function base(path) {
	sub(/.*\//, "", path)
	sub(/\.ini$/, "", path)
	return path
}
FNR == 1 {
	name = base(FILENAME)
	if (FILENAME ~ /models\//)
		models[++model_count] = name
	else if (FILENAME ~ /\.ini$/)
		pods[++pod_count] = name
}
FILENAME ~ /completions\// {
	shell = FILENAME ~ /bash$/ ? "bash" : "zsh"
	scripts[shell] = scripts[shell] quote($0) "\n"
	next
}
FILENAME ~ /slurm\// {
	if (FNR == 1)
		slurm = slurm (slurm ? "\t},\n" : "") "\t{ \"" name "\",\n"
	slurm = slurm quote($0) "\n"
	next
}
FILENAME ~ /\.sh$/ {
	hosts_script = hosts_script quote($0) "\n"
	next
}
# The program reads these lines and reports no mistakes in them.
FILENAME ~ /kube\// {
	if (/^(#|$)/)
		next
	if (!/^[A-Za-z]+( extends [A-Za-z]+)?$/ &&
	    !/^\t+[A-Za-z]+\*? (\[\])?("[^"]+"|[A-Za-z0-9]+(\[string\][A-Za-z]+)?)( (honoured|noted|refused): .+)?$/) {
		print FILENAME ":" FNR ": see the head of the file" > "/dev/stderr"
		exit 1
	}
	fields = fields quote($0) "\n"
	next
}
FILENAME ~ /\.ini$/ {
	text[name] = text[name] quote($0) "\n"
	next
}
END {
	print "#include \"core/base/embedded.h\"\n"
	split("bash zsh", shells)
	for (i = 1; i in shells; i++) {
		shell = shells[i]
		print "extern const char completion_" shell "_text[];"
		print "const char completion_" shell "_text[] =\n" scripts[shell] ";\n"
	}
	print "extern const char copy_ssh_text[];"
	print "const char copy_ssh_text[] =\n" hosts_script ";\n"
	print "const char embedded_fields[] =\n" fields ";\n"
	print "const struct embedded_file embedded_slurm[] = {\n" slurm "\t},"
	print "\t{ NULL, NULL }\n};"
	print "const struct embedded_file embedded_pods[] = {"
	for (i = 1; i <= pod_count; i++)
		print "\t{ \"" pods[i] "\",\n" text[pods[i]] "\t},"
	print "\t{ NULL, NULL }\n};"
	print "const struct embedded_file embedded_models[] = {"
	for (i = 1; i <= model_count; i++)
		print "\t{ \"" models[i] "\",\n" text[models[i]] "\t},"
	print "\t{ NULL, NULL }\n};"
}
