import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the ads. */
export const words: Like<typeof english> = {
  heading: 'Anuncios',
  none: 'Ningún anuncio o publicación inició una conversación con este número en este tiempo.',
  chart: 'Conversaciones de cada anuncio; la lista de abajo tiene las mismas cifras',
  truncated: 'Hay más anuncios de los que se muestran. Acorta las fechas para ver los otros.',
  ad: 'Anuncio o publicación',
  conversations: 'Conversaciones',
  messages: 'Veces que inició una',
  last: 'Última',
  conversationCount: (count: number) => (count === 1 ? '1 conversación' : `${count} conversaciones`),
  timeCount: (count: number) => (count === 1 ? 'una vez' : `${count} veces`),
}
