import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'
import { words as calls } from '../calls/es.ts'

const { seconds, directions, statuses } = calls

/** Spanish words of the page of one call. */
export const words: Like<typeof english> = {
  heading: 'Llamada',
  headingOf: (peer) => `Llamada con +${peer}`,
  above: 'Llamadas',
  status: 'Estado',
  direction: 'Dirección',
  length: 'Duración',
  error: 'Qué salió mal',
  id: 'Id',
  timeline: 'Qué pasó',
  played: 'Archivos reproducidos',
  recording: 'Grabación',
  saveRecording: 'Guardarla como archivo',
  sessions: 'Programas en la llamada',
  takeOver: 'Tomar esta llamada',
  sessionKinds: {
    INBOUND: { talk: 'Un programa que se conectó y habla', listen: 'Un programa que se conectó y escucha' },
    OUTBOUND: { talk: 'Un servidor al que se llamó y habla', listen: 'Un servidor al que se llamó y escucha' },
  },
  sessionStatuses: { CONNECTING: 'conectando', OPEN: 'abierta', CLOSED: 'cerrada', FAILED: 'no se pudo alcanzar' },
  seconds,
  directions,
  statuses,
  steps: { created: 'Pedida', started: 'Empezó', connected: 'Contestada', ended: 'Terminó' },
  playStatuses: { QUEUED: 'espera', PLAYING: 'suena', FINISHED: 'reproducido', FAILED: 'falló' },
  errors: {
    PROVIDER_FAILED: 'La red del número terminó la llamada con un fallo.',
    NO_RINGING: 'El otro teléfono nunca sonó.',
    MEDIA_LOST: 'El sonido de la llamada se perdió y no volvió.',
    MEDIA_TIMEOUT: 'No llegó ningún sonido después de contestar.',
    NODE_LOST: 'El servidor que llevaba la llamada se detuvo.',
    INTERNAL_ERROR: 'Algo salió mal de nuestro lado.',
  },
}
