/*
 * A shell's text cut into commands and words.  Nothing is expanded: "$N" is a
 * word like any other, and whoever wants a number sees that it is none.
 */
#include "core/ipujob/lint_script.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/array.h"
#include "core/base/path.h"

/* Where the reading is. */
struct script_reader {
	struct lint_script	*script;
	const char		*at;
	int			 line;
	int			 first_line;	/* of the command */
	struct strvec		 words;		/* of it so far */
	char			*word;		/* room for a word */
	size_t			 length;
	bool			 in_word;
};

void
lint_script_release(struct lint_script *s)
{
	size_t	i;

	for (i = 0; i < s->count; i++)
		strvec_release(&s->commands[i].words);
	free(s->commands);
	memset(s, 0, sizeof(*s));
}

/* "NAME=VALUE" */
static bool
is_assignment(const char *word)
{
	size_t	i;

	if (!isalpha((unsigned char)*word) && *word != '_')
		return false;
	for (i = 1; isalnum((unsigned char)word[i]) || word[i] == '_'; i++)
		continue;
	return word[i] == '=';
}

/* What only stands before a program. */
static bool
is_prefix(const char *word)
{
	static const char *const	prefixes[] = {
		"exec", "time", "env", "nohup", "sudo", "command", "if",
		"then", "elif", "else", "while", "until", "do", "!", "{"
	};
	size_t				i;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (strcmp(word, prefixes[i]) == 0)
			return true;
	return is_assignment(word);
}

/* The words are the script's from now on. */
static void
add_command(struct lint_script *s, struct strvec *words, int line)
{
	struct lint_command	*c;

	if (words->count == 0) {
		strvec_release(words);
		return;
	}
	if (s->count == s->room) {
		s->room = s->room == 0 ? 8 : s->room * 2;
		s->commands = xreallocarray(s->commands, s->room,
		    sizeof(*s->commands));
	}
	c = &s->commands[s->count++];
	c->words = *words;
	c->line = line;
	c->program = 0;
	while (c->program < words->count &&
	    is_prefix(words->items[c->program]))
		c->program++;
}

static void
end_word(struct script_reader *r)
{
	if (!r->in_word)
		return;
	r->word[r->length] = '\0';
	if (r->words.count == 0)
		r->first_line = r->line;
	strvec_add(&r->words, r->word);
	r->length = 0;
	r->in_word = false;
}

static void
end_command(struct script_reader *r)
{
	end_word(r);
	add_command(r->script, &r->words, r->first_line);
	strvec_init(&r->words);
}

static void
put_letter(struct script_reader *r, char c)
{
	r->in_word = true;
	r->word[r->length++] = c;
}

/* A word in quotes, or a part of one; an open quote ends with the text. */
static void
read_quoted(struct script_reader *r)
{
	const char	quote = *r->at++;

	r->in_word = true;
	for (; *r->at != '\0' && *r->at != quote; r->at++) {
		if (quote == '"' && *r->at == '\\' && r->at[1] != '\0') {
			r->at++;
			if (*r->at == '\n') {
				r->line++;
				continue;
			}
			if (strchr("\"\\$`", *r->at) == NULL)
				put_letter(r, '\\');
		}
		r->line += *r->at == '\n';
		put_letter(r, *r->at);
	}
	if (*r->at != '\0')
		r->at++;
}

/* Only spaces until the line ends: they take the backslash for themselves. */
static bool
is_cut(const char *behind)
{
	const size_t	blanks = strspn(behind, " \t");

	return blanks > 0 && behind[blanks] == '\n';
}

static void
read_backslash(struct script_reader *r)
{
	r->at++;
	if (*r->at == '\n') {
		r->line++;
		r->at++;
		return;
	}
	if (is_cut(r->at) && r->script->cut_line == 0)
		r->script->cut_line = r->line;
	if (*r->at != '\0')
		put_letter(r, *r->at++);
}

/* "2>&1" and "&>file" join what they stand between. */
static bool
is_redirection(const struct script_reader *r, const char *text)
{
	return *r->at == '&' && ((r->at > text && (r->at[-1] == '>' ||
	    r->at[-1] == '<')) || r->at[1] == '>');
}

static void
read_letter(struct script_reader *r, const char *text)
{
	switch (*r->at) {
	case '\'':
	case '"':
		read_quoted(r);
		return;
	case '\\':
		read_backslash(r);
		return;
	case '\n':
		end_command(r);
		r->line++;
		break;
	case ';':
	case '|':
	case '(':
	case ')':
	case '`':
		end_command(r);
		break;
	case '&':
		if (is_redirection(r, text))
			put_letter(r, *r->at);
		else
			end_command(r);
		break;
	case '<':
	case '>':
	case ' ':
	case '\t':
	case '\r':
		end_word(r);
		break;
	case '#':
		if (r->in_word)
			put_letter(r, *r->at);
		else
			r->at += strcspn(r->at, "\n") - 1;
		break;
	default:
		put_letter(r, *r->at);
	}
	r->at++;
}

void
lint_script_read(struct lint_script *s, const char *text)
{
	struct script_reader	r = { .script = s, .at = text, .line = 1 };

	r.word = xmalloc(strlen(text) + 1);
	strvec_init(&r.words);
	while (*r.at != '\0')
		read_letter(&r, text);
	end_command(&r);
	strvec_release(&r.words);
	free(r.word);
}

void
lint_script_add(struct lint_script *s, char *const *words)
{
	struct strvec	copy;

	strvec_init(&copy);
	strvec_add_all(&copy, words);
	add_command(s, &copy, 1);
}

const char *
lint_script_program(const struct lint_command *c)
{
	return c->program == c->words.count ? "" :
	    path_base_name(c->words.items[c->program]);
}
