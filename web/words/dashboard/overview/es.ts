import type { Like } from '../../language.ts'
import type { words as english } from './en.ts'

/** Spanish words of the overview. */
export const words: Like<typeof english> = {
  heading: 'Resumen',
  numbers: 'Números',
  states: { OPEN: 'conectados', CONNECTING: 'conectando', CLOSE: 'sin conexión' },
  liveCalls: 'Llamadas ahora',
  steps: 'Primeros pasos',
  allDone: 'Todos los primeros pasos están hechos.',
  next: 'Siguiente paso',
  done: 'hecho',
  open: 'por hacer',
  step: {
    numberConnected: {
      name: 'Conectar un número',
      text: 'Añade un número y escanea su código con el teléfono, o introduce sus credenciales.',
    },
    messageSent: { name: 'Enviar un mensaje', text: 'Una llamada de la API envía el primer mensaje.' },
    webhookDelivered: { name: 'Recibir un evento', text: 'Añade un webhook y envíale un evento de prueba.' },
    callPlaced: { name: 'Hacer una llamada', text: 'Llama desde aquí o por la API.' },
    brandingSet: { name: 'Definir tu marca', text: 'Nombre, logotipo y colores de las páginas que ven tus clientes.' },
    embedMinted: { name: 'Incrustar la bandeja', text: 'Pon la bandeja de conversaciones en una página tuya.' },
  },
  failing: 'Webhooks que fallan',
  failed: (count) =>
    count === 1 ? '1 entrega falló en las últimas 24 horas' : `${count} entregas fallaron en las últimas 24 horas`,
  sandbox: 'Sandbox',
  sandboxText: 'Aquí los servicios externos son simulados: teléfonos que se vinculan, contactos que escriben y llaman.',
  sandboxOpen: 'Abrir el sandbox',
  sandboxNumber: 'Número',
  sandboxMessage: 'Mensaje',
  sandboxScan: 'Escanear su código',
  sandboxWrite: 'Escribirle',
  sandboxRing: 'Llamarlo',
  sandboxScanned: 'El teléfono ha escaneado el código.',
  sandboxWritten: 'El contacto ha escrito.',
  sandboxRings: 'El contacto llama.',
  sandboxRefused:
    'El sandbox no pudo hacerlo. Un número se escanea mientras espera su teléfono; recibe mensajes y llamadas cuando está conectado.',
  sandboxHello: 'Hola',
}
