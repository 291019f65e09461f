# Completion of envgen for fish. Made by 'envgen completion fish'; do not edit.
function __envgen_at
    set -l words (commandline -opc)
    set -l path ""
    set -l skip 0
    for word in $words[2..-1]
        if test $skip -eq 1
            set skip 0
            continue
        end
        switch $word
            case {{{options}}}
                set skip 1
            case '*'
                switch "$path/$word"
                    case {{{paths}}}
                        set path "$path/$word"
                end
        end
    end
    test "$path" = "$argv[1]"
end
complete -c envgen -f
{{{lines}}}