/**
 * Carries messages between nodes. A message goes to those who subscribe to the channel at that moment; nobody stores
 * it.
 */
export interface Wire {
  isUp(): boolean
  /** Answers how many heard the message. Rejects when that is unknown: it may have been heard. */
  publish(channel: string, text: string): Promise<number>
  /**
   * Hears a channel from the moment it resolves, and again after each reconnect. Resolves even when the server cannot
   * be reached now.
   */
  subscribe(channel: string, listener: (text: string) => void): Promise<void>
  /**
   * Stops hearing a channel: messages published after it resolves reach nobody here, earlier ones have been heard.
   * Resolves even when the server cannot be reached.
   */
  unsubscribe(channel: string): Promise<void>
}
