import { styleText } from 'node:util'

/** Adds colour when the output is a terminal. */
function painted(style: Parameters<typeof styleText>[0], text: string): string {
  return process.stdout.isTTY ? styleText(style, text) : text
}

interface Step {
  readonly isDone: boolean
  readonly name: string
  readonly ms: number
  readonly result: string
}

/** Runs the demo's steps one by one, times each, and prints one table at the end. */
export class Report {
  readonly #steps: Step[] = []

  /** Runs a step; the second part of its result is what the table shows. */
  async step<T>(name: string, run: () => Promise<readonly [T, string]>): Promise<T> {
    const startMs = performance.now()
    process.stdout.write(`  ${name} ...\n`)
    try {
      const [value, result] = await run()
      this.#steps.push({ name, ms: performance.now() - startMs, result, isDone: true })
      return value
    } catch (error) {
      this.#steps.push({
        name,
        ms: performance.now() - startMs,
        result: `FAILED: ${error instanceof Error ? error.message : String(error)}`,
        isDone: false,
      })
      throw error
    }
  }

  print(): void {
    const nameWidth = Math.max(...this.#steps.map((step) => step.name.length))
    const tick = (isDone: boolean) => (isDone ? painted('green', '✔') : painted('red', '✘'))
    const rows = this.#steps.map(
      (step) =>
        `  ${tick(step.isDone)} ${step.name.padEnd(nameWidth)}  ${step.ms.toFixed(0).padStart(6)} ms  ${step.result}`,
    )
    process.stdout.write(
      `\n    ${'step'.padEnd(nameWidth)}  ${'time'.padStart(9)}  result\n  ${'-'.repeat(nameWidth + 40)}\n${rows.join('\n')}\n`,
    )
  }
}
