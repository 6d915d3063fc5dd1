/**
 * Where the form of a connection sends people for help. The service has no public page for its
 * partners; who runs this app puts the page of the administration here.
 */
export const helpLink =
  '[Manage your connections](https://help.zapier.com/hc/en-us/articles/8496290788109-Manage-your-app-connections)';
