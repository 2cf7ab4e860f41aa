/** `npm run commit:changed`: checks format, lint and types of the staged files. `npm run check` checks the rest. */
import { execFileSync, spawnSync } from 'node:child_process'
import { stepsFor } from './staged.ts'

function stagedFiles(): string[] {
  const named = execFileSync('git', ['diff', '--cached', '--name-only', '--diff-filter=ACMR', '-z'], {
    encoding: 'utf8',
  })
  return named.split('\0').filter((file) => file !== '')
}

const red = stepsFor(stagedFiles()).find(
  ({ command, args }) => spawnSync(command, args, { stdio: 'inherit' }).status !== 0,
)
if (red) process.stderr.write(`commit: ${red.command} refuses it; "npm run format" mends the form\n`)
process.exitCode = red ? 1 : 0
