import { NO_CONTENT, type MessageContent } from '../../domain/message.ts'

/** A content as it is stored: fields that a message without a content has too are left out, in most messages most. */
export type StoredContent = Partial<MessageContent>

/** The JSON of a content for its row. The text comes first, where the search of the inbox looks for it. */
export function contentText(content: MessageContent): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(content).filter(([field, value]) => value !== null || !(field in NO_CONTENT))),
  )
}

/** A content with all of its fields. Rows of earlier versions have them already. */
export function wholeContent(stored: StoredContent): MessageContent {
  return { ...NO_CONTENT, ...stored }
}

/** The content of a row's JSON. */
export function contentOf(text: string): MessageContent {
  return wholeContent(JSON.parse(text) as StoredContent)
}
