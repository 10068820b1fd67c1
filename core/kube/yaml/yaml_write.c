/*
 * Trees as YAML, by libyaml's emitter, in the styles that kubectl chooses
 * (encode.go of sigs.k8s.io/yaml/goyaml.v2), and as JSON in the form of Go's
 * encoding/json, which kubectl uses.
 */
#include "core/kube/yaml/yaml.h"

#include <bsd/stdlib.h>

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <yaml.h>

#include "core/base/alloc.h"
#include "core/kube/yaml/yaml_internal.h"

enum { REAL_SIZE = 40, JSON_INDENT = 4, JSON_ONE_LINE = -1 };

/* Return the fewest digits that read back as this number. */
static int
shortest_digits(double real)
{
	char text[REAL_SIZE];
	int digits;

	for (digits = 1; digits < 17; digits++) {
		(void)snprintf(text, sizeof(text), "%.*e", digits - 1, real);
		if (strtod(text, NULL) == real)
			break;
	}
	return digits;
}

/*
 * Format a real like Go: "d.ddde+dd", or in full if its power of ten is more
 * than `least` and less than `most`, padded with zeros.
 */
static void
format_real(double real, int least, int most, char *out)
{
	const int digits = shortest_digits(real);
	const char *from;
	char *to = out;
	int power;

	(void)snprintf(out, REAL_SIZE, "%.*e", digits - 1, real);
	power = (int)strtonum(strchr(out, 'e') + 1, -400, 400, NULL);
	if (power <= least || power >= most)
		return;
	if (power < digits - 1) {
		(void)snprintf(out, REAL_SIZE, "%.*f", digits - 1 - power,
		    real);
		return;
	}
	for (from = out; *from != 'e'; from++)
		if (*from != '.')
			*to++ = *from;
	for (power -= digits - 1; power > 0; power--)
		*to++ = '0';
	*to = '\0';
}

/* Format a real for JSON; encoding/json writes "1e-7" for "1e-07". */
static void
json_real(double real, char *out)
{
	char *e;

	/* Drop the sign of a zero. */
	format_real(real == 0 ? 0 : real, -7, 21, out);
	e = strstr(out, "e-0");
	if (e != NULL)
		memmove(e + 2, e + 3, strlen(e + 3) + 1);
}

/* Format a real for YAML.  kubectl converts to JSON first, where a whole number
   is an integer. */
static void
yaml_real(double real, char *out)
{
	if (isnan(real))
		(void)snprintf(out, REAL_SIZE, ".nan");
	else if (isinf(real))
		(void)snprintf(out, REAL_SIZE, real > 0 ? ".inf" : "-.inf");
	else if (real == trunc(real) && real > -0x1p63 && real < 0x1p64)
		json_real(real, out);
	else
		format_real(real, -5, 6, out);
}

static int
write_bytes(void *file, unsigned char *bytes, size_t size)
{
	(void)fwrite(bytes, 1, size, file);
	return 1;
}

/* Emit an event.  A tree is always valid, so only memory can be missing. */
static void
emit(yaml_emitter_t *emitter, yaml_event_t *event, int initialized)
{
	if (!initialized || !yaml_emitter_emit(emitter, event))
		xfail();
}

/*
 * Whether a text has a NEL, LS or PS, which end lines in YAML 1.1 and would be
 * folded, or a byte order mark, which some readers refuse inside a text.
 */
static bool
has_odd_break(const char *text)
{
	return strstr(text, "\xc2\x85") != NULL ||
	    strstr(text, "\xe2\x80\xa8") != NULL ||
	    strstr(text, "\xe2\x80\xa9") != NULL ||
	    strstr(text, "\xef\xbb\xbf") != NULL;
}

/* The emitter uses quotes if the style cannot represent the text. */
static yaml_scalar_style_t
text_style(const char *text)
{
	if (has_odd_break(text))
		return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	if (strchr(text, '\n') != NULL)
		return YAML_LITERAL_SCALAR_STYLE;
	if (yaml_scalar_is_special(text))
		return YAML_DOUBLE_QUOTED_SCALAR_STYLE;
	return YAML_PLAIN_SCALAR_STYLE;
}

static void
emit_scalar(yaml_emitter_t *emitter, const char *text,
    yaml_scalar_style_t style)
{
	yaml_event_t event;

	emit(emitter, &event,
	    yaml_scalar_event_initialize(&event, NULL, NULL,
		(const yaml_char_t *)text, (int)strlen(text), 1, 1, style));
}

static void
emit_node(yaml_emitter_t *emitter, const struct yaml_node *n)
{
	yaml_event_t event;
	char text[REAL_SIZE];
	const char *plain = text;
	size_t i;

	switch (n->kind) {
	case YAML_MAP:
		emit(emitter, &event,
		    yaml_mapping_start_event_initialize(&event, NULL, NULL, 1,
			YAML_BLOCK_MAPPING_STYLE));
		for (i = 0; i < n->count; i++) {
			emit_scalar(emitter, n->items[i].key,
			    text_style(n->items[i].key));
			emit_node(emitter, n->items[i].node);
		}
		emit(emitter, &event,
		    yaml_mapping_end_event_initialize(&event));
		return;
	case YAML_LIST:
		emit(emitter, &event,
		    yaml_sequence_start_event_initialize(&event, NULL, NULL, 1,
			YAML_BLOCK_SEQUENCE_STYLE));
		for (i = 0; i < n->count; i++)
			emit_node(emitter, n->items[i].node);
		emit(emitter, &event,
		    yaml_sequence_end_event_initialize(&event));
		return;
	case YAML_TEXT:
		emit_scalar(emitter, n->text, text_style(n->text));
		return;
	case YAML_INTEGER:
		(void)snprintf(text, sizeof(text), "%" PRId64, n->integer);
		break;
	case YAML_REAL:
		yaml_real(n->real, text);
		break;
	case YAML_BOOL:
		plain = n->integer != 0 ? "true" : "false";
		break;
	case YAML_NULL:
		plain = "null";
		break;
	}
	emit_scalar(emitter, plain, YAML_PLAIN_SCALAR_STYLE);
}

/*
 * The stream is not ended, because that would print "..." after a text that
 * ends with empty lines.
 */
void
yaml_write(FILE *out, const struct yaml_node *n)
{
	yaml_emitter_t emitter;
	yaml_event_t event;

	if (!yaml_emitter_initialize(&emitter))
		xfail();
	yaml_emitter_set_output(&emitter, write_bytes, out);
	yaml_emitter_set_unicode(&emitter, 1);
	yaml_emitter_set_width(&emitter, -1);
	emit(&emitter, &event,
	    yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
	emit(&emitter, &event,
	    yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
	emit_node(&emitter, n);
	emit(&emitter, &event, yaml_document_end_event_initialize(&event, 1));
	yaml_emitter_delete(&emitter);
}

/* Write a text; encoding/json escapes characters that are special in HTML. */
static void
json_text_of(FILE *out, const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	static const char letters[] = "\"\\\b\f\n\r\t";
	static const char escapes[] = "\"\\bfnrt";
	const char *found;

	fputc('"', out);
	for (; *c != '\0'; c++) {
		found = strchr(letters, *c);
		if (found != NULL) {
			fprintf(out, "\\%c", escapes[found - letters]);
		} else if (*c < ' ' || strchr("<>&", *c) != NULL) {
			fprintf(out, "\\u%04x", *c);
		} else if (c[0] == 0xe2 && c[1] == 0x80 &&
		    (c[2] & 0xfe) == 0xa8) {
			fprintf(out, "\\u20%02x", c[2] - 0x80);
			c += 2;
		} else {
			fputc(*c, out);
		}
	}
	fputc('"', out);
}

static void
json_scalar(FILE *out, const struct yaml_node *n)
{
	char text[REAL_SIZE];

	switch (n->kind) {
	case YAML_TEXT:
		json_text_of(out, n->text);
		return;
	case YAML_INTEGER:
		fprintf(out, "%" PRId64, n->integer);
		return;
	case YAML_REAL:
		if (!isfinite(n->real)) {
			fputs("null", out);
			return;
		}
		json_real(n->real, text);
		fputs(text, out);
		return;
	case YAML_BOOL:
		fputs(n->integer != 0 ? "true" : "false", out);
		return;
	default:
		fputs("null", out);
	}
}

static void
json_line(FILE *out, int indent)
{
	if (indent != JSON_ONE_LINE)
		fprintf(out, "\n%*s", indent, "");
}

static void
json_node(FILE *out, const struct yaml_node *n, int indent)
{
	const bool map = n->kind == YAML_MAP;
	const int inner = indent == JSON_ONE_LINE ?
	    JSON_ONE_LINE :
	    indent + JSON_INDENT;
	size_t i;

	if (!map && n->kind != YAML_LIST) {
		json_scalar(out, n);
		return;
	}
	fputc(map ? '{' : '[', out);
	for (i = 0; i < n->count; i++) {
		if (i > 0)
			fputc(',', out);
		json_line(out, inner);
		if (map) {
			json_text_of(out, n->items[i].key);
			fputs(indent == JSON_ONE_LINE ? ":" : ": ", out);
		}
		json_node(out, n->items[i].node, inner);
	}
	if (n->count > 0)
		json_line(out, indent);
	fputc(map ? '}' : ']', out);
}

void
yaml_write_json(FILE *out, const struct yaml_node *n)
{
	json_node(out, n, 0);
	fputc('\n', out);
}

void
yaml_write_json_line(FILE *out, const struct yaml_node *n)
{
	json_node(out, n, JSON_ONE_LINE);
}
