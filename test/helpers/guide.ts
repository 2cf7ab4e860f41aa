import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { signalGroup } from './process-group.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The status and body that a guide's shell printed for one call. */
export interface GuideCall {
  readonly status: number
  readonly words: string
}

export interface Guide {
  /** Path of the document, from the root. */
  readonly document: string
  /** Lines that run before the first block: variables that the guide expects, or work that it leaves to the reader. */
  readonly before?: string
  /** Replacements of texts in the guide: addresses, and values of a real account that the sandbox generates. */
  readonly instead: Readonly<Record<string, string>>
  /** Environment of the programs that the guide starts. */
  readonly env: Readonly<Record<string, string>>
  /** Refusals that the guide shows: a status, and a text in the call. */
  readonly refused?: readonly (readonly [number, string])[]
  /** Code that the guide says to save in the project folder: its first block of a language, by file name. */
  readonly saved?: Readonly<Record<string, string>>
  /** Blocks that contain one of these texts are not run, because they start a program that stays. */
  readonly without?: readonly string[]
}

/** The code blocks of a guide in some languages. */
function blocksOf(document: string, languages: readonly string[]): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([^]*?)\n```$/gm)].flatMap(([, language = '', code = '']) =>
    languages.includes(language) ? [code] : [],
  )
}

/**
 * The `curl` of a guide, which records the status of each call. A reader takes a while between two lines, so an answer
 * that means "not yet" (404, 409, 503 or no connection) is retried up to 60 times, unless it is a refusal that the
 * guide shows.
 */
const SHELL = `
set -u
pause() { command sleep 0.25; }
sleep() { command sleep "$1"; }
is_told() {
  local code text
  while read -r code text; do [ "$code" = "$1" ] && case "$2" in *"$text"*) return 0;; esac; done <<< "$GUIDE_REFUSED"
  return 1
}
curl() {
  local tries=0 output="$GUIDE_FOLDER/output.$BASHPID" status="$GUIDE_FOLDER/status.$BASHPID" input=/dev/null
  [ -p /dev/stdin ] && { input="$GUIDE_FOLDER/input.$BASHPID"; cat > "$input"; }
  while :; do
    command curl -m 60 -w '%{stderr}%{http_code}' "$@" < "$input" > "$output" 2> "$status"
    tries=$((tries + 1))
    case "$(tail -c 3 "$status")" in 000|404|409|503) is_told "$(tail -c 3 "$status")" "$*" || [ $tries -ge \${GUIDE_TRIES:-60} ] || { pause; continue; };; esac
    break
  done
  printf '%s %s\\n' "$(tail -c 3 "$status")" "$(printf '%s ' "$@" | tr '\\n' ' ')" >> "$GUIDE_FOLDER/calls"
  cat "$output"
}
npm() { (cd "$GUIDE_ROOT" && command npm "$@"); }
`

/**
 * Runs the shell blocks of a guide one after another in one shell, and resolves to the calls it made. Throws when the
 * shell itself fails.
 */
export async function runGuide({
  document,
  before = '',
  instead,
  env,
  refused = [],
  saved = {},
  without = [],
}: Guide): Promise<{ readonly calls: GuideCall[]; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'cms-guide-'))
  try {
    const blocks = blocksOf(document, ['sh', 'bash']).filter((block) => !without.some((text) => block.includes(text)))
    const replaced = (text: string) =>
      Object.entries(instead).reduce((all, [from, to]) => all.replaceAll(from, to), text)
    // The folder gets the same files that programs find in the project folder.
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    for (const [name, language] of Object.entries(saved))
      await writeFile(join(folder, name), replaced(blocksOf(document, [language])[0] ?? ''))
    const script = join(folder, 'guide.sh')
    await writeFile(script, `${SHELL}\n${replaced([before, ...blocks].join('\n'))}\ntrue\n`)
    const output = await shellOutput(script, folder, {
      ...env,
      GUIDE_REFUSED: refused.map((words) => words.join(' ')).join('\n'),
    })
    const noted = await readFile(join(folder, 'calls'), 'utf8').catch(() => '')
    const calls = noted
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ status: Number(line.slice(0, 3)), words: line.slice(4).trim() }))
    return { calls, output }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Ends the shell together with everything that it left in the background. */
async function shellOutput(script: string, folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, 'said')
  const file = await open(path, 'w')
  const child = spawn('bash', [script], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', file.fd, file.fd],
    env: { ...process.env, ...env, GUIDE_FOLDER: folder, GUIDE_ROOT: ROOT },
  })
  const [code] = await once(child, 'exit')
  signalGroup(child.pid, 'SIGKILL')
  await file.close()
  const said = await readFile(path, 'utf8')
  if (code !== 0 || said.includes('guide.sh: line')) throw new Error(`ended with ${code}:\n${said.slice(-3000)}`)
  return said
}
