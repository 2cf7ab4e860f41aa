/** Spanish words of the softphone. */
import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

export const words: Like<typeof english> = {
  heading: 'Teléfono',
  number: 'Llamar desde',
  noNumber: 'Ningún número puede llamar todavía. Conecta primero un número.',
  official:
    'Las llamadas de números oficiales pasan por una conexión que ofrece tu propio programa; esta página no puede llevar su sonido.',
  to: 'Número de teléfono',
  toHint: 'Con código de país, por ejemplo +34 612 345 678',
  dial: 'Llamar',
  accept: 'Contestar',
  reject: 'Rechazar',
  hangup: 'Colgar',
  mute: 'Silenciar el micrófono',
  record: 'Grabar',
  stopRecord: 'Detener la grabación',
  recording: 'Guardar la grabación',
  keys: 'Teclas',
  key: (digit) => `Tecla ${digit}`,
  voiceProcessing: 'Cancelar eco y ruido',
  microphone: 'Micrófono',
  usualMicrophone: 'La elección del navegador',
  status: {
    placing: 'Llamando…',
    INITIATED: 'Llamando…',
    RINGING: 'Sonando',
    ACCEPTED: 'En llamada',
  },
  incoming: 'Llamada entrante',
  link: {
    opening: 'Se está conectando el sonido…',
    lost: 'Se perdió el sonido. La llamada sigue 30 segundos mientras se vuelve a conectar…',
    taken: 'Otra página se ha hecho cargo de esta llamada.',
  },
  takeBack: 'Recuperar la llamada',
  giveBack: 'Devolver la llamada al bot',
  ended: {
    COMPLETED: 'La llamada ha terminado.',
    REJECTED: 'La llamada fue rechazada.',
    MISSED: 'Nadie contestó.',
    FAILED: 'La llamada falló.',
  },
  lost: 'La conexión no volvió, por eso se colgó la llamada.',
  barred:
    'El sonido de esta llamada viene de un servidor que se añadió después de cargar esta página, por eso se colgó la llamada. Vuelve a cargar la página y llama otra vez.',
  codes: {
    CHANNEL_INSTANCE_NOT_CONNECTED: 'El número no está conectado. Conéctalo y llama de nuevo.',
    CALL_INVALID_STATE: 'La llamada terminó, o la tomó otra persona.',
  },
  because: (code) => `Motivo: ${code}`,
  faults: {
    refused:
      'Esta página no puede usar el micrófono, así que no se te oye. Permítelo junto a la dirección de la página e inténtalo de nuevo.',
    missing: 'No se encontró ningún micrófono, así que no se te oye. Conecta uno e inténtalo de nuevo.',
    busy: 'Otro programa usa el micrófono, así que no se te oye. Ciérralo allí e inténtalo de nuevo.',
    insecure: 'Los navegadores no dan micrófono a páginas sin https, así que no se te oye. Abre esta página por https.',
    failed: 'No se pudo abrir el micrófono, así que no se te oye.',
  },
  again: 'Probar el micrófono de nuevo',
  meters: { mic: 'Tu micrófono', peer: 'El otro lado' },
  decibels: (level) => `${level} dBFS`,
  stats: {
    rttMs: 'Ida y vuelta',
    lost: 'Paquetes perdidos',
    queuedMs: 'En espera aquí',
    underruns: 'Cortes aquí',
  },
}
