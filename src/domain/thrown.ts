/** The fields that a log entry has for a thrown value. */
export interface ThrownFields {
  readonly name: string
  readonly stack: string | undefined
}

/** Names the class of a thrown value, which may be anything. */
export function thrownName(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'unknown'
}

/** Makes the log fields of a thrown value: its class, and where it was thrown. */
export function thrownFields(thrown: unknown): ThrownFields {
  return { name: thrownName(thrown), stack: thrown instanceof Error ? thrown.stack : undefined }
}
