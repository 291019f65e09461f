#compdef envgen
# Completion of envgen for zsh. Made by 'envgen completion zsh'; do not edit.
_envgen() {
  local cmdpath="" word folders="" files="" current="${words[CURRENT]}" previous="${words[CURRENT-1]}"
  local -a items options
  local -i i
  for ((i = 2; i < CURRENT; i++)); do
    word="${words[i]}"
    case "$word" in
    {{{options}}}) i=$((i + 1)); continue ;;
    esac
    case "$cmdpath/$word" in
    {{{paths}}}) cmdpath="$cmdpath/$word" ;;
    esac
  done
  case "$cmdpath:$previous" in
{{{values}}}  esac
  case "$cmdpath" in
{{{offers}}}  esac
  if [[ $current == -* ]]; then
    _describe -o 'option' options
  elif [[ -n $files ]]; then
    (( $#items )) && _describe 'word' items
    _files
  elif (( $#items )); then
    _describe 'word' items
  elif [[ -n $folders ]]; then
    _files -/
  else
    _describe -o 'option' options
  fi
}
if [[ $funcstack[1] == _envgen ]]; then
  _envgen "$@"
else
  compdef _envgen envgen
fi
