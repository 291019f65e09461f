# Completion of envgen for bash. Made by 'envgen completion bash'; do not edit.
_envgen() {
  local cur prev path="" word words="" options="" folders="" files="" i IFS=$' \t\n'
  COMPREPLY=()
  cur="${COMP_WORDS[COMP_CWORD]}"
  prev="${COMP_WORDS[COMP_CWORD-1]}"
  # '--format=js' comes as three words.
  if [[ $cur == "=" ]]; then
    cur=""
  elif [[ $prev == "=" ]]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    case "$word" in
    {{{options}}}) i=$((i + 1)); [[ ${COMP_WORDS[i]} == "=" ]] && i=$((i + 1)); continue ;;
    esac
    case "$path/$word" in
    {{{paths}}}) path="$path/$word" ;;
    esac
  done
  case "$path:$prev" in
{{{values}}}  esac
  case "$path" in
{{{offers}}}  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  elif [[ -n $files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    IFS=$'\n'
    COMPREPLY+=($(compgen -f -- "$cur"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  elif [[ -n $folders ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\n'
    COMPREPLY=($(compgen -d -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  fi
}
complete -F _envgen envgen
