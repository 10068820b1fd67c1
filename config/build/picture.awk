# What a terminal shows as a picture in SVG: lines with the sequences of
# tmux's capture-pane -e.  Needs LC_ALL=C, so that lengths are bytes.

BEGIN {
	WIDTH = 7.8
	HEIGHT = 16
	split("black red green yellow blue magenta cyan white", names)
	split("#5c6370 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #dcdfe4",
	    codes)
	PLAIN = "#dcdfe4"
	GROUND = "#1e2127"
}

# Take the numbers of one sequence: "1;32".
function take(numbers,	parts, i, n) {
	n = split(numbers, parts, ";")
	if (n == 0)
		colour = bold = reversed = 0
	for (i = 1; i <= n; i++)
		if (parts[i] == 0)
			colour = bold = reversed = 0
		else if (parts[i] == 1)
			bold = 1
		else if (parts[i] == 7)
			reversed = 1
		else if (parts[i] >= 30 && parts[i] <= 37)
			colour = parts[i] - 29
		else if (parts[i] == 39)
			colour = 0
}

# Return the columns of a text: in UTF-8 its bytes but for those that continue a
# character.  Wide characters do not occur.
function width(text) {
	gsub(/[\200-\277]/, "", text)
	return length(text)
}

# Add what stands in one style, and its ground where that is not the picture's.
function put(text,	fore, shown) {
	if (text == "")
		return
	fore = colour ? codes[colour] : PLAIN
	if (reversed)
		boxes = boxes sprintf("<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n",
		    column * WIDTH + 8, NR * HEIGHT - 8, width(text) * WIDTH,
		    HEIGHT, fore)
	shown = text
	gsub(/&/, "\\&amp;", shown)
	gsub(/</, "\\&lt;", shown)
	gsub(/ /, "\302\240", shown)
	if (text ~ /[^ ]/)
		texts = texts sprintf("<text x=\"%.1f\" y=\"%d\" textLength=\"%.1f\"%s fill=\"%s\">%s</text>\n",
		    column * WIDTH + 8, NR * HEIGHT + 4, width(text) * WIDTH,
		    bold ? " font-weight=\"bold\"" : "",
		    reversed ? GROUND : fore, shown)
	column += width(text)
}

{
	column = 0
	rest = $0
	while (match(rest, /\033\[[0-9;]*m/)) {
		put(substr(rest, 1, RSTART - 1))
		take(substr(rest, RSTART + 2, RLENGTH - 3))
		rest = substr(rest, RSTART + RLENGTH)
	}
	put(rest)
	if (column > columns)
		columns = column
}

END {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"monospace\" font-size=\"13\">\n",
	    columns * WIDTH + 16, NR * HEIGHT + 20
	printf "<rect width=\"100%%\" height=\"100%%\" rx=\"6\" fill=\"%s\"/>\n%s%s</svg>\n",
	    GROUND, boxes, texts
}
