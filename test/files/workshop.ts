import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Answer, Question } from '../../engines/media/test/workshop-program.ts'

interface Asked {
  resolve(streams: unknown): void
  reject(error: Error): void
}

/** One program for all questions of a test file: a start costs more than most of them. */
let program: ChildProcess | null = null
const asked: Asked[] = []

/** Has a film made, or tells the streams of a file. */
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
  // Once it has answered it keeps no process of tests alive; it ends with that.
  child.unref()
  return child
}
