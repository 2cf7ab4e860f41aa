import { inEnvelope } from '../../protocol/envelope.ts'
import { readToHost } from '../../protocol/messages.ts'
import type { ToFrame, ToHost } from '../../protocol/messages.ts'

/**
 * The ways to a frame. A frame may say hello twice before it hears the answer, and says it anew when it was loaded
 * again: each hello is given a port, and the one that is answered by is the frame's, while the others are closed.
 */
export interface Ports {
  /** A new way to the frame: the end it is sent. */
  open(): MessagePort
  /** Told when the frame hears it; kept where there is no way yet. */
  tell(message: ToFrame): void
  /** Somebody was sent an end, and has not gone since. */
  isOpen(): boolean
  close(): void
}

/** Hears all that is said by whoever was sent an end, and `hear` only what is of the form. */
export function openPorts(hear: (message: ToHost) => void): Ports {
  let ports: MessagePort[] = []
  let waiting: ToFrame[] = []

  return {
    open() {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1)
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = readToHost(data)
        if (!message || !ports.includes(port1)) return
        for (const port of ports) if (port !== port1) port.close()
        ports = [port1]
        hear(message)
      })
      port1.addEventListener('close', () => {
        ports = ports.filter((port) => port !== port1)
      })
      port1.start()
      for (const message of waiting.splice(0)) port1.postMessage(inEnvelope(message))
      return port2
    },
    tell(message) {
      if (ports.length === 0) waiting.push(message)
      for (const port of ports) port.postMessage(inEnvelope(message))
    },
    isOpen: () => ports.length > 0,
    close() {
      for (const port of ports) port.close()
      ports = []
      waiting = []
    },
  }
}
