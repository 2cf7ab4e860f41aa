/** `npm run engine`: installs the engine when it is missing and runs it; what follows `--` goes to it. */
import { spawn } from 'node:child_process'
import { ENGINE, installWhenMissing } from './install.ts'

installWhenMissing()
const child = spawn(
  process.execPath,
  ['--disable-warning=ExperimentalWarning', `${ENGINE}/main.ts`, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
// A terminal signals both; a supervisor signals only this one.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 0 : 1)))
