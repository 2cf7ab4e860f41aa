/** What a log says of what was thrown. */
export interface ThrownFields {
  readonly name: string
  readonly stack: string | undefined
}

/** The class of what was thrown, which may be anything. */
export function thrownName(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : 'unknown'
}

/** What was thrown, and where. */
export function thrownFields(thrown: unknown): ThrownFields {
  return { name: thrownName(thrown), stack: thrown instanceof Error ? thrown.stack : undefined }
}
