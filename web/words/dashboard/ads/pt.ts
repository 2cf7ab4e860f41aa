import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Portuguese words of the ads. */
export const words: Like<typeof english> = {
  heading: 'Anúncios',
  none: 'Nenhum anúncio ou publicação iniciou uma conversa com este número neste tempo.',
  chart: 'Conversas de cada anúncio; a lista abaixo tem os mesmos números',
  truncated: 'Há mais anúncios do que os mostrados. Reduza as datas para ver os outros.',
  ad: 'Anúncio ou publicação',
  conversations: 'Conversas',
  messages: 'Vezes que iniciou uma',
  last: 'Última',
  conversationCount: (count: number) => (count === 1 ? '1 conversa' : `${count} conversas`),
  timeCount: (count: number) => (count === 1 ? 'uma vez' : `${count} vezes`),
}
