// `stet --help`: fits a screen.

export const help = `Usage: stet [options] -p "what to do" [@file …]
       stet COMMAND [arguments]

An agent edits the files of this folder; you review every change.

  -p, --print TEXT      run one turn and print the answer; text from standard input is added
      --mode MODE       text (default) or json: one event a line
      --model NAME      provider/name, openai-compatible/NAME, or practice
      --toolset NAME    project (default), tabs (long documents), paper (the one in front), or code
      --tab FILE        open a file in a tab, in front; for the toolsets tabs and paper
      --review HOW      hunk (default), turn, or none: accept and save at once
      --permission MODE what toolset code may do unasked: plan, ask (default), auto-edit, full
      --max-cost USD    stop before the next request beyond it
  -c, --continue        go on with the latest session here
  -r, --resume [ID]     go on with a session by the start of its id
      --no-session      remember nothing of the conversation
  -C, --folder DIR      work in another folder
      --trust           let the folder's .stet/config.json choose tools and limits, this once

Commands
  tabs                  which documents are open: open FILE, close ID, front ID
  search QUERY          find by meaning, in this folder or in --file FILE
  review                what waits for a decision: show, accept, reject, undo, step
  checkpoints           the turns so far
  rollback ID [HUNK …]  back to before a turn, or only some of its hunks
  sessions              list, show, export, import, rename, remove, prompts
  models                what can be used here, and for the rest why not
  config                every setting and where it came from
  trust                 trust this folder (--off to stop)
  permissions           what toolset code was allowed here for good: remove NUMBER
  serve                 the workspace in your browser (--open, --sample, --root, --port, --json)
  work                  carry out the jobs of folders shared through PostgreSQL (--store, --root)
  doctor                whether everything works here
  completions SHELL     for bash, zsh or fish

Exit codes: 0 done, 1 failed, 2 not understood, 3 a limit was reached, 4 refused, 130 interrupted.
`;
