#compdef spaces
# Completion of the spaces command for zsh:
#   eval "$(spaces completion zsh)"
# or in a file called _spaces in a directory of $fpath.

_spaces() {
  local -a candidates
  local line
  for line in ${(f)"$(spaces __complete "${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)"}; do
    [[ $line == :files* ]] && _files && return
    # In a candidate a colon begins what it means.
    candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
  done
  _describe spaces candidates
}

# Read as a file of $fpath this is the function; sourced it makes it known.
if [[ $funcstack[1] == _spaces ]]; then
  _spaces "$@"
else
  compdef _spaces spaces
fi
