# The fields of an IPUJob as ipubox-job(5) lists them, in mdoc(7), from what
# `ipubox job explain --recursive` prints.  Fields of an object that are noted
# for the same reason are one item.  The fields of noted and refused objects are
# left out.  An object that stands in several places is described
# once.
#
#	ipubox job explain --recursive | awk -f config/build/job-fields.awk

function path(i) {
	return parent[i] ? path(parent[i]) "." name[i] : name[i]
}

# What is below it, by which the same object is known elsewhere.
function shape(i,    k, s) {
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++)
		s = s depth[k] - depth[i] name[k] effect[k] note[k] ";"
	return s
}

# The head of an item, with all fields of its list noted for the same reason.
function head(i,    k, width, names) {
	for (k = i; k <= count && depth[k] >= depth[i]; k++) {
		if (depth[k] > depth[i] || effect[k] != "noted" ||
		    note[k] != note[i])
			continue
		done[k] = 1
		width += length(name[k]) + 3
		names = names (k == i ? "" : width < 64 ? " , " : " ,\n.Cm ") \
		    name[k]
		if (width >= 64)
			width = length(name[k]) + 3
	}
	if (names ~ /\n/)
		print ".It Xo\n.Cm " names " Pq noted\n.Xc"
	else
		print ".It Cm " names " Pq noted"
}

function item(i,    s) {
	if (effect[i] == "noted")
		head(i)
	else
		print ".It Cm " name[i] " Pq " type[i] \
		    (effect[i] == "honoured" ? "" : ", " effect[i])
	# A note may begin with the name of a field, which stays as it is.
	if (note[i] ~ / / && note[i] !~ /^[^ ]*\.[^ ]/)
		print toupper(substr(note[i], 1, 1)) substr(note[i], 2) "."
	else if (note[i] != "")
		print note[i] "."
	if (effect[i] != "honoured" || i == count || depth[i + 1] <= depth[i])
		return
	s = shape(i)
	if (s in known) {
		print "Its fields are those of"
		print ".Sx " known[s] " ."
	} else {
		known[s] = path(i)
		later[++waiting] = i
	}
}

function section(i,    k) {
	print ".Ss " path(i)
	print ".Bl -tag -width Ds"
	for (k = i + 1; k <= count && depth[k] > depth[i]; k++)
		if (depth[k] == depth[i] + 1 && !(k in done))
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
		if (depth[i] == 1 && !(i in done))
			item(i)
	print ".El"
	for (i = 1; i <= waiting; i++)
		section(later[i])
}
