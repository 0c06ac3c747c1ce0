# One file of the status plugin in OpenCode's configuration folder on this machine. POSIX sh; nothing is installed.
#
#   sh -c SCRIPT orca-tui status  NAME REVISION SIZE   < CONTENT    how it stands
#   sh -c SCRIPT orca-tui install NAME REVISION SIZE   < CONTENT    brings it to CONTENT, whatever stands there
#   sh -c SCRIPT orca-tui remove  NAME REVISION SIZE                removes it if it is ours
#
# stdout, which a login may have written to before: "orca-tui-plugin", state or outcome, revision, path, target,
# reason, each ended by a NUL. The rules are those of file.py; `install` looks again before it writes.

set -u
umask 022
LC_ALL=C
export LC_ALL
verb=$1 name=$2 revision=$3 size=$4
nl='
'
cr=$(printf '\r')
limit=40 # Of links in a chain, as in the kernel.
turns=50 # Tries for the folder, a tenth of a second apart.
blank=10 # Tries after which a lock without a number is of nobody: a living maker writes it at once.

say() { # STATE REVISION REASON
  printf 'orca-tui-plugin\000%s\000%s\000%s\000%s\000%s\000' "$1" "$2" "$path" "$target" "$3"
  exit 0
}

place() {
  case ${XDG_CONFIG_HOME-} in
  /*) config=$XDG_CONFIG_HOME/opencode ;;
  *) config=$HOME/.config/opencode ;;
  esac
  path=$config/plugins/$name
  target=$path
}

# Follows links by hand: `readlink -f` is younger than many machines.
follow() {
  links=0
  while [ -L "$target" ]; do
    links=$((links + 1))
    [ "$links" -le "$limit" ] || say blocked '' 'Too many levels of symbolic links'
    next=$(readlink "$target" && printf x) || say blocked '' "cannot read the link $target"
    next=${next%"$nl"x}
    case $next in
    /*) target=$next ;;
    *) target=${target%/*}/$next ;;
    esac
  done
}

# Sets `found` to the revision of a file by its first line; empty where that is not ours.
revision_of() {
  head=$(dd if="$1" bs=128 count=1 2>/dev/null | tr -d '\000' && printf x)
  found=
  case $head in
  "// orca-tui status plugin, revision "*"$nl"*) ;;
  *) return ;;
  esac
  head=${head#"// orca-tui status plugin, revision "}
  head=${head%%"$nl"*}
  head=${head%"$cr"}
  case $head in
  '' | *[!0-9]* | ??????????*) ;;
  *) found=$head ;;
  esac
}

# Sets `state`, `found` and `reason`; `$1` has the content to compare with, `-` being standard input.
look() {
  found= reason=
  if [ ! -e "$target" ]; then
    state=missing
    [ "$target" = "$path" ] || state=stale reason="link to $target, which is missing"
  elif [ ! -f "$target" ]; then
    state=blocked reason="$target is not a file"
  elif [ ! -r "$target" ]; then
    state=unreadable reason="Permission denied: $target"
  elif cmp -s "$target" "$1"; then
    state=up_to_date
    revision_of "$target"
  else
    revision_of "$target"
    if [ -n "$found" ] && [ "$found" -gt "$revision" ]; then
      state=newer reason="$target is of revision $found"
    elif [ -n "$found" ] || [ ! -s "$target" ]; then
      state=stale
    else
      state=foreign reason="$target was not written by orca-tui"
    fi
  fi
}

# Gives a file the mode of the target, unless that hides it from its owner. There is no `stat` in POSIX.
keep_mode() {
  mode=$(ls -ld "$target" | cut -c 2-10 | tr 'stST' 'xx..')
  case $mode in
  r*) chmod "u=$(part 1-3),g=$(part 4-6),o=$(part 7-9)" "$1" ;;
  esac
}

part() {
  printf '%s' "$mode" | cut -c "$1" | tr -d '.-'
}

# One writer at a time, by a file that is made only where none is; its maker's process tells whether it is alive.
take_turn() {
  lock=$config/.orca-tui-status.lock
  tries=0
  until (set -C && echo $$ >"$lock") 2>/dev/null; do
    [ -w "$config" ] || say failed '' "Permission denied: $config"
    tries=$((tries + 1))
    holder=$(cat "$lock" 2>/dev/null)
    if [ "$tries" -gt "$blank" ] && [ -z "$holder" ] || { [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; }; then
      mv "$lock" "$lock.$$" 2>/dev/null && rm -f "$lock.$$"
    elif [ "$tries" -gt "$turns" ]; then
      say failed '' 'another process holds the folder'
    else
      # Less than a second is more than POSIX promises.
      sleep 0.1 2>/dev/null || { sleep 1 && tries=$((tries + 9)); }
    fi
  done
  trap 'rm -f "$lock" "${temporary-}"' EXIT
  trap 'exit 1' HUP INT TERM
}

install() {
  error=$(mkdir -p "${path%/*}" 2>&1) || say failed '' "$error"
  take_turn
  follow
  temporary=${target%/*}/.${target##*/}.$$.tmp
  error=$( (cat >"$temporary") 2>&1) || say failed '' "$error"
  # A connection that breaks looks like the end of the content.
  [ "$(($(wc -c <"$temporary")))" -eq "$size" ] || say failed '' 'not all of the content arrived'
  look "$temporary"
  case $state in
  up_to_date) say unchanged "$found" '' ;;
  newer) say newer "$found" "$reason" ;;
  foreign | blocked) say refused '' "$reason" ;;
  esac
  [ "$state" = missing ] || [ ! -e "$target" ] || keep_mode "$temporary"
  error=$(mv -f "$temporary" "$target" 2>&1) || say failed '' "$error"
  say written "$revision" ''
}

remove() {
  follow
  [ -e "$target" ] || [ -L "$path" ] || say missing '' ''
  look /dev/null
  [ -n "$found" ] || say refused '' "${reason:-not written by orca-tui}"
  left=
  [ "$target" = "$path" ] || left="$target was left"
  error=$(rm -f "$path" 2>&1) || say failed '' "$error"
  case $name in
  */*) rmdir "${path%/*}" 2>/dev/null ;;
  esac
  say removed '' "$left"
}

place
case $verb in
status)
  follow
  look -
  say "$state" "$found" "$reason"
  ;;
install) install ;;
remove) remove ;;
esac
