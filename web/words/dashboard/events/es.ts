import type { Like } from '../../language.ts'
import { words as hooks } from '../hooks/es.ts'
import type { words as english } from './en.ts'

/** Spanish words of the page of events. */
export const words: Like<typeof english> = {
  hooks,
  heading: 'Eventos',
  event: 'Evento',
  anyEvent: 'Todos los eventos',
  number: 'Número',
  anyNumber: 'Todos los números',
  live: {
    heading: 'En vivo',
    none: 'No ha pasado nada desde que abriste esta página. Los eventos aparecen aquí cuando pasan.',
    noneSuch: 'No ha pasado nada así desde que abriste esta página.',
    off: 'Los eventos en vivo no están disponibles ahora. Los guardados de abajo sí.',
    pause: 'Pausar',
    go: 'Continuar',
    held: (count) => (count === 1 ? '1 evento nuevo espera.' : `${count} eventos nuevos esperan.`),
    paused: 'En pausa: los eventos nuevos esperan hasta que continúes.',
    most: (count) => `Aquí solo quedan los ${count} más nuevos.`,
  },
  stored: {
    heading: 'Eventos guardados',
    text: 'Eventos de los últimos 30 días, el más antiguo primero.',
    read: 'Leer los eventos guardados',
    none: 'No hay ningún evento guardado.',
  },
  columns: { event: 'Evento', number: 'Número', at: 'Hora' },
  show: (event) => `Mostrar ${event}`,
  eventId: 'Id del evento',
}
