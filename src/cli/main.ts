/** The command line's entry point. */
import { dispatch } from "./dispatch.ts";
import { ProcessTerminal } from "./terminal.ts";

process.exitCode = await dispatch(process.argv.slice(2), new ProcessTerminal());
