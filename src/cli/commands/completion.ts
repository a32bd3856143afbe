/** `completion …`: prints a script that teaches a shell our commands and flags. */
import { type CommandGroup, defineCommand } from "../command.ts";
import { completionScript, type Shell, shells } from "../completion/scripts.ts";
import { placesOf } from "../completion/vocabulary.ts";
import { exitCodes } from "../failure.ts";

const uses: Readonly<Record<Shell, string>> = {
  bash: "To use it now: source <(strongroom completion bash). To keep it, put that line into ~/.bashrc.",
  zsh: "To use it now: source <(strongroom completion zsh). To keep it, put that line into ~/.zshrc after compinit.",
  fish: "To keep it: strongroom completion fish > ~/.config/fish/completions/strongroom.fish",
};

const completionFor = (shell: Shell) =>
  defineCommand({
    summary: `Print the completion script of ${shell}`,
    description: [uses[shell]],
    flags: {},
    async run({ terminal, loadProgram }) {
      terminal.write(completionScript(shell, [...placesOf(await loadProgram())]));
      return exitCodes.ok;
    },
  });

export const command: CommandGroup = {
  summary: "Print a script that completes commands and flags in a shell",
  commands: Object.fromEntries(shells.map((shell) => [shell, completionFor(shell)])),
};
