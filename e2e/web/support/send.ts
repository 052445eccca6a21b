import type { Page } from 'playwright-core';

/** Sends a message in the session that the page shows. */
export async function send(page: Page, words: string, key = 'Enter'): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(words);
  await page.keyboard.press(key);
}

/** All that the page shows of a conversation, in its order. */
export async function shownTranscript(page: Page): Promise<string> {
  return await page.getByRole('feed', { name: 'Conversation' }).innerText();
}
