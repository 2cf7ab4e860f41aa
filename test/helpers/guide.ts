import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What a shell of a guide prints for each call: its status and its words. */
export interface GuideCall {
  readonly status: number
  readonly words: string
}

export interface Guide {
  /** Below the root. */
  readonly document: string
  /** Lines before the first block: variables that the guide says to have, or what its reader has done before. */
  readonly before?: string
  /** Texts in the place of others: addresses, and values of a real account that the sandbox makes up. */
  readonly instead: Readonly<Record<string, string>>
  /** Environment of the programs that the guide starts. */
  readonly env: Readonly<Record<string, string>>
  /** Refusals that the guide shows: a status, and a text in the call. */
  readonly refused?: readonly (readonly [number, string])[]
  /**
   * Code that the guide says to save in the folder of the project: its first block of a language, by the name of the
   * file.
   */
  readonly saved?: Readonly<Record<string, string>>
  /** Blocks that contain one of these are not run: what starts a program that stays. */
  readonly without?: readonly string[]
}

/** Code of a guide, by the language of its blocks. */
function blocksOf(document: string, languages: readonly string[]): string[] {
  const text = readFileSync(join(ROOT, document), 'utf8')
  return [...text.matchAll(/^```(\w+)\n([^]*?)\n```$/gm)].flatMap(([, language = '', code = '']) =>
    languages.includes(language) ? [code] : [],
  )
}

/**
 * `curl` of a guide: notes the status of each call. Who reads a guide needs a while between two lines: what is not so
 * far yet (404, 409, 503 and nobody there) is asked again, up to 60 times, where it is no refusal that the guide shows.
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
 * Runs the shell blocks of a guide, one after the other in one shell, and answers the calls it made. Throws when the
 * shell itself says something is wrong.
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
    // Programs find here what they would find in the folder of the project.
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

/** The shell and all that it left in the background end together. */
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
  try {
    process.kill(-(child.pid ?? 0), 'SIGKILL')
  } catch {
    // Nothing was left.
  }
  await file.close()
  const said = await readFile(path, 'utf8')
  if (code !== 0 || said.includes('guide.sh: line')) throw new Error(`ended with ${code}:\n${said.slice(-3000)}`)
  return said
}
