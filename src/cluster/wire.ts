/**
 * What carries messages between nodes: published to a channel, heard by whoever subscribes at that moment, kept by
 * nobody.
 */
export interface Wire {
  isUp(): boolean
  /** Answers how many heard it. Rejects when that is not known: it may have been heard. */
  publish(channel: string, text: string): Promise<number>
  /**
   * Hears a channel from when it resolves, after each reconnect too; resolves all the same when the server cannot be
   * reached now.
   */
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  /**
   * Hears it no more: what is published after this resolves reaches nobody here, and what was before has been heard.
   * Resolves all the same when the server cannot be reached.
   */
  unsubscribe(channel: string): Promise<void>
}
