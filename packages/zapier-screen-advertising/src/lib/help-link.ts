/** Where the form of a connection sends people: the page that says where credentials come from. */
export const helpLink =
  '[How to connect](https://github.com/screen-advertising/connectors/blob/main/docs/zapier.md#1-connect)';
