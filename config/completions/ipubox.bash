# Completion of the IPU tools for bash(1).
#
# `vipu completion bash` prints it with the names of all applets.  Source it
# with `. <(vipu completion bash)`, or put it into the directory of
# bash-completion, as `make install` does.

_ipubox()
{
	local IFS=$'\n' name=${COMP_WORDS[0]##*/} word=${COMP_WORDS[COMP_CWORD]}
	local program=ipubox candidates

	# These complete themselves without an ipubox on the PATH.
	case $name in
	vipu | vipu-admin | ipubox) program=${COMP_WORDS[0]} ;;
	esac
	set -- "${COMP_WORDS[@]:1:COMP_CWORD}"
	[ "$program" != ipubox ] || [ "$name" = ipubox ] || set -- "$name" "$@"
	[ "$word" != = ] || word=
	candidates=$("$program" __complete "$@" 2>/dev/null)
	# Status 3: files are not allowed here, so none are offered.
	[ $? -ne 3 ] || compopt +o bashdefault +o default 2>/dev/null
	COMPREPLY=($(compgen -W "$candidates" -- "$word"))
}

complete -o bashdefault -o default -F _ipubox ipubox@APPLETS@
