# Completion of the spaces command for bash:
#   eval "$(spaces completion bash)"

_spaces() {
  # Bash splits the line at the characters of COMP_WORDBREAKS, and IDs contain colons. So the words are joined again: a
  # part that follows another without a blank belongs to it.
  local rest=${COMP_LINE:0:COMP_POINT} part blankless
  local -a words=()
  for part in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    blankless=${rest#"${rest%%[![:blank:]]*}"}
    [[ ${#words[@]} -gt 0 && $blankless == "$rest" ]] || words+=('')
    rest=$blankless
    [[ $rest == "$part"* ]] || part=$rest
    words[${#words[@]}-1]+=$part
    rest=${rest#"$part"}
  done

  # Bash replaces only what follows the last break, and an @ together with it.
  local word=${words[${#words[@]}-1]} kept='' at
  for ((at = ${#word} - 1; at >= 0; at--)); do
    [[ $COMP_WORDBREAKS == *"${word:at:1}"* ]] || continue
    kept=${word:0:at+1}
    kept=${kept%@}
    break
  done

  local candidate
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    if [[ $candidate == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("${candidate#"$kept"}")
    fi
  done < <(spaces __complete "${words[@]:1}" 2>/dev/null)
}

complete -F _spaces spaces
