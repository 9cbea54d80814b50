# Completion of the spaces command for fish:
#   spaces completion fish > ~/.config/fish/completions/spaces.fish

function __spaces_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l word (commandline --current-token --cut-at-cursor)
    for candidate in (spaces __complete $words[2..] "$word" 2>/dev/null)
        if string match --quiet ':files*' -- $candidate
            __fish_complete_path $word
        else
            echo $candidate
        end
    end
end

complete --command spaces --no-files --arguments '(__spaces_complete)'
