import { execFileSync } from 'node:child_process'

function hasPackage(python: string): boolean {
  try {
    execFileSync(python, ['-c', 'import websockets'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A Python that has `websockets`; undefined where there is none, and then it says that `what` is not tried. */
export function findPython(what: string): string | undefined {
  const python = [process.env['PYTHON'], 'python3', '/usr/bin/python3'].find(
    (one) => one !== undefined && hasPackage(one),
  )
  if (python === undefined)
    process.stderr.write(
      `\n  NO PYTHON WITH websockets: ${what} is not tried. Install python3-websockets, or name one by PYTHON\n\n`,
    )
  return python
}
