import { inEnvelope } from '../../protocol/envelope.ts'
import { readToHost } from '../../protocol/messages.ts'
import type { ToFrame, ToHost } from '../../protocol/messages.ts'

/**
 * The message ports of a frame. A frame may say hello twice before it hears the answer, and again after a reload. Each
 * hello gets a port; the port that the frame answers on becomes the frame's, and the others are closed.
 */
export interface Ports {
  /** Opens a port for the frame; returns the end to send to it. */
  open(): MessagePort
  /** Sends a message once the frame listens; it is kept while there is no port yet. */
  tell(message: ToFrame): void
  /** Whether an end was sent to a frame that has not gone since. */
  isOpen(): boolean
  close(): void
}

/** Makes the ports. `hear` gets the messages of valid form from any port. */
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
