# The fields of an IPUJob as ipubox-job(5) lists them, in mdoc(7), from what
# `ipubox job explain --recursive` prints.  Objects whose fields all fare as
# they do are one item; an object that stands in several places is described
# once.
#
#	ipubox job explain --recursive | awk -f config/build/job-fields.awk

function path(i) {
	return parent[i] ? path(parent[i]) "." name[i] : name[i]
}

# A path too long for a line of 80 columns, with places where it may break.
function breakable(p) {
	if (length(p) > 68)
		gsub(/\./, "&\\:", p)
	return p
}

# All below it fare as it does, and nothing more is to be said of them.
function uniform(i,    k) {
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++)
		if (effect[k] != effect[i] || note[k] != "")
			return 0
	return 1
}

# What is below it, by which the same object is known elsewhere.
function shape(i,    k, s) {
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++)
		s = s depth[k] - depth[i] name[k] effect[k] note[k] ";"
	return s
}

function print_below(i,    k, before, seen) {
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++) {
		if (name[k] in seen)
			continue
		seen[name[k]] = 1
		if (before != "")
			print ".Cm " before " ,"
		before = name[k]
	}
	print ".Cm " before " ."
}

function item(i,    s) {
	print ".It Cm " name[i] " Pq " type[i] ", " effect[i]
	# A note may begin with the name of a field, which stays as it is.
	if (note[i] ~ / / && note[i] !~ /^[^ ]*\.[^ ]/)
		print toupper(substr(note[i], 1, 1)) substr(note[i], 2) "."
	else if (note[i] != "")
		print note[i] "."
	if (i == count || depth[i + 1] <= depth[i])
		return
	s = shape(i)
	if (effect[i] == "refused")
		return
	if (uniform(i)) {
		print "Below it, in the same way:"
		print_below(i)
	} else if (s in known) {
		print "Its fields are those of"
		print ".Sx " breakable(known[s]) " ."
	} else {
		known[s] = path(i)
		later[++waiting] = i
		print "Its fields:"
		print ".Sx " breakable(path(i)) " ."
	}
}

function section(i,    k) {
	print ".Ss " path(i)
	print ".Bl -tag -width Ds"
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++)
		if (depth[k] == depth[i] + 1)
			item(k)
	print ".El"
}

BEGIN { FS = "\t" }
/^  / {
	at = match($1, /[^ ]/)
	count++
	depth[count] = int((at - 1) / 2)
	name[count] = substr($1, at)
	type[count] = $2
	sub(/>.*/, "", type[count])
	sub(/^</, "", type[count])
	if ($2 ~ /-required-/)
		type[count] = type[count] ", required"
	rest = $2
	sub(/^[^>]*> (-required- )?/, "", rest)
	effect[count] = note[count] = rest
	sub(/:.*/, "", effect[count])
	if (!sub(/^[a-z]*: /, "", note[count]))
		note[count] = ""
	last[depth[count]] = count
	parent[count] = depth[count] > 1 ? last[depth[count] - 1] : 0
}
END {
	depth[0] = 0
	print ".Bl -tag -width Ds"
	for (i = 1; i <= count; i++)
		if (depth[i] == 1)
			item(i)
	print ".El"
	for (done = 1; done <= waiting; done++)
		section(later[done])
}
