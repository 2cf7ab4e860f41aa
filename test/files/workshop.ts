import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Answer, Question } from '../../engines/media/test/workshop-program.ts'

interface Asked {
  resolve(streams: unknown): void
  reject(error: Error): void
}

/** One program answers all questions of a test file, because its start takes longer than most answers. */
let program: ChildProcess | null = null
const asked: Asked[] = []

/** Asks for a film to be made, or for the streams of a file. */
export function askWorkshop(question: Question): Promise<unknown> {
  const child = (program ??= startWorkshop())
  child.channel?.ref()
  return new Promise((resolve, reject) => {
    asked.push({ resolve, reject })
    child.send(question)
  })
}

function startWorkshop(): ChildProcess {
  const child = fork(new URL('../../engines/media/test/workshop-program.ts', import.meta.url), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  child.on('message', (answer: Answer) => {
    const next = asked.shift()
    if (asked.length === 0) child.channel?.unref()
    if (answer.ok) next?.resolve(answer.streams)
    else next?.reject(new Error(answer.error))
  })
  child.on('exit', () => {
    program = null
    for (const { reject } of asked.splice(0)) reject(new Error('the workshop ended'))
  })
  // The idle program must not keep the test process alive; it ends with that process.
  child.unref()
  return child
}
