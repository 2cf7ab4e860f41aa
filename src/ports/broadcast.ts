/**
 * Tells every node of a change, at best effort: `key.rotated` drops cached callers, `number.wanted` and
 * `number.changed` wake an owner.
 */
export interface Broadcast {
  /** Listeners of this node hear of it before this returns. Never rejects, though other nodes may not hear of it. */
  publish(topic: string, text: string): Promise<void>
  subscribe(topic: string, listener: (text: string) => void): void
}
