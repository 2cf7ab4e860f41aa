import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  heading: 'Bandeja de entrada',
  replies: 'Respuestas guardadas',
  number: 'Número',
  all: 'Todos los números',
  first: (count) => `Los primeros ${count} números`,
  firstHint: (count) => `La bandeja muestra ${count} números juntos. Elija uno para ver otro.`,
  unread: (count) => (count === 1 ? '1 mensaje sin leer' : `${count} mensajes sin leer`),
  added: 'Se agregó un número.',
  addedShow: 'Mostrarlo también',
  none: 'Las conversaciones de sus números están aquí, en cuanto haya un número.',
  toNumbers: 'Ir a los números',
  shown: {
    failed: 'No se pudo mostrar la bandeja de entrada.',
    address: 'Las páginas incrustadas no se pueden mostrar en esta dirección. Abra el panel por https o en localhost.',
    gone: 'Ese número no existe. Elija otro.',
  },
}
